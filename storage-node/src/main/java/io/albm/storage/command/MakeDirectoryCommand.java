// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.cli.ExitCode;
import io.albm.storage.StripeSettings;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code albm storage mkdir}. */
@Command(
        name = "mkdir",
        description = {
            "Make directories. They stay when they are empty, until 'albm storage rmdir'.",
            "A put needs none: it makes those of its path, and these go with their last file."
        },
        footer = {"  albm storage mkdir /runs", "  albm storage mkdir --parents /runs/7/in /runs/7/out"})
final class MakeDirectoryCommand implements Callable<Integer> {
    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private Output output = new Output();

    @Parameters(paramLabel = "PATH", arity = "1..*", description = "Names in the storage.")
    private List<String> paths = List.of();

    @Option(
            names = {"-p", "--parents"},
            description = "Make the directories above, too; one that is there already is no error.")
    private boolean parents;

    @Override
    public Integer call() throws IOException {
        return connection.with(StripeSettings.DEFAULT, store -> {
            for (String path : paths) {
                store.makeDirectory(path, parents);
            }
            output.print(paths, () -> "made " + String.join(", ", paths));
            return ExitCode.DONE;
        });
    }
}
