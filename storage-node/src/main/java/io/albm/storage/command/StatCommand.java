// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.cli.ExitCode;
import io.albm.storage.FileInfo;
import io.albm.storage.StorageException;
import io.albm.storage.StripeSettings;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code albm storage stat}. */
@Command(
        name = "stat",
        description = "Show what is known of a file: size, checksum, layout, nodes.",
        footer = "  albm storage stat /runs/7/results.tar")
final class StatCommand implements Callable<Integer> {
    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private Output output = new Output();

    @Parameters(paramLabel = "PATH", description = "Name in the storage.")
    private String path = "";

    @Override
    public Integer call() throws IOException {
        return connection.with(StripeSettings.DEFAULT, store -> {
            FileInfo file = store.stat(path).orElseThrow(() -> new StorageException.NoSuchFile(path));
            output.print(file, () -> text(file));
            return ExitCode.DONE;
        });
    }

    private static String text(FileInfo file) {
        return """
                name        %s
                bytes       %d
                crc32c      %08x
                created     %s
                layout      %s, units of %s
                nodes       %s
                generation  %s""".formatted(
                        file.path(),
                        file.length(),
                        file.crc32c(),
                        file.created(),
                        layout(file),
                        Sizes.text(file.geometry().unitBytes()),
                        file.nodes(),
                        file.generation());
    }

    static String layout(FileInfo file) {
        return file.geometry().dataUnits() + " + " + file.geometry().parityUnits();
    }
}
