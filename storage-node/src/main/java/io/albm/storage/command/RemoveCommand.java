// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.cli.ExitCode;
import io.albm.storage.FileInfo;
import io.albm.storage.StripeSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code albm storage rm}. */
@Command(name = "rm", description = "Remove files.", footer = "  albm storage rm /runs/7/results.tar")
final class RemoveCommand implements Callable<Integer> {
    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private Output output = new Output();

    @Parameters(paramLabel = "PATH", arity = "1..*", description = "Names in the storage.")
    private List<String> paths = new ArrayList<>();

    @Override
    public Integer call() throws IOException {
        return connection.with(StripeSettings.DEFAULT, store -> {
            List<FileInfo> removed = new ArrayList<>();
            for (String path : paths) {
                removed.add(store.delete(path));
            }
            output.print(
                    removed,
                    () -> "removed "
                            + String.join(
                                    ", ", removed.stream().map(FileInfo::path).toList()));
            return ExitCode.DONE;
        });
    }
}
