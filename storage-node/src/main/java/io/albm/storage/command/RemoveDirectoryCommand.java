// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.cli.ExitCode;
import io.albm.storage.StripeSettings;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code albm storage rmdir}. */
@Command(name = "rmdir", description = "Remove empty directories.", footer = "  albm storage rmdir /runs/7")
final class RemoveDirectoryCommand implements Callable<Integer> {
    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private Output output = new Output();

    @Parameters(paramLabel = "PATH", arity = "1..*", description = "Names in the storage.")
    private List<String> paths = List.of();

    @Override
    public Integer call() throws IOException {
        return connection.with(StripeSettings.DEFAULT, store -> {
            for (String path : paths) {
                store.removeDirectory(path);
            }
            output.print(paths, () -> "removed " + String.join(", ", paths));
            return ExitCode.DONE;
        });
    }
}
