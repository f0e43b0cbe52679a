// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.cli.Ansi;
import io.albm.core.cli.ExitCode;
import io.albm.core.cli.Table;
import io.albm.storage.FileInfo;
import io.albm.storage.StripeSettings;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code albm storage ls}. */
@Command(
        name = "ls",
        description = "List the files whose name begins with a prefix.",
        footer = {"  albm storage ls", "  albm storage ls /runs/7/ --json"})
final class ListCommand implements Callable<Integer> {
    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private Output output = new Output();

    @Parameters(
            paramLabel = "PREFIX",
            arity = "0..1",
            description = "Beginning of the names; default ${DEFAULT-VALUE}.")
    private String prefix = "/";

    @Override
    public Integer call() throws IOException {
        return connection.with(StripeSettings.DEFAULT, store -> {
            List<FileInfo> files = store.list(prefix);
            output.print(files, () -> table(files));
            return ExitCode.DONE;
        });
    }

    private static String table(List<FileInfo> files) {
        Table table = Table.of("SIZE", "MODIFIED", "LAYOUT", "NAME").right(0);
        for (FileInfo file : files) {
            table.row(
                    Sizes.text(file.length()),
                    file.modified().truncatedTo(ChronoUnit.SECONDS),
                    StatCommand.layout(file),
                    file.path());
        }
        return table.render(Ansi.stdout()).stripTrailing();
    }
}
