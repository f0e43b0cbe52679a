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

/** {@code albm storage cat}. */
@Command(
        name = "cat",
        description = {
            "Write files to standard output, one after the other. Every byte is checked.",
            "What was written before a failure is right; the exit code tells whether it is all."
        },
        footer = "  albm storage cat /logs/1 /logs/2 | grep error")
final class CatCommand implements Callable<Integer> {
    @Mixin
    private Connection connection = new Connection();

    @Parameters(paramLabel = "PATH", arity = "1..*", description = "Names in the storage.")
    private List<String> paths = List.of();

    @Override
    public Integer call() throws IOException {
        return connection.with(StripeSettings.DEFAULT, store -> {
            for (String path : paths) {
                store.readFile(path, new StandardOutput(path));
            }
            return ExitCode.DONE;
        });
    }
}
