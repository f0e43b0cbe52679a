// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.cli.ExitCode;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedInputStream;
import io.albm.storage.StripedStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code albm storage get}. */
@Command(
        name = "get",
        description = {
            "Fetch a file. Every byte is checked; what one lost node held is made from the others.",
            "The local file appears when it is whole."
        },
        footer = {"  albm storage get /runs/7/results.tar results.tar", "  albm storage get backup.tar - | tar x"})
final class GetCommand implements Callable<Integer> {
    @Mixin
    private Connection connection = new Connection();

    @Parameters(paramLabel = "PATH", description = "Name in the storage.")
    private String path = "";

    @Parameters(paramLabel = "FILE", description = "Where to put it; - is standard output.")
    private String target = "-";

    @Option(names = "--replace", description = "Take the place of a local file that is there.")
    private boolean replace;

    @Override
    public Integer call() throws IOException {
        if (!target.equals("-") && !replace && Files.exists(Path.of(target))) {
            throw new FileAlreadyExistsException(target);
        }
        return connection.with(StripeSettings.DEFAULT, store -> {
            if (target.equals("-")) {
                store.readFile(path, new StandardOutput(path));
            } else {
                fetch(store, Path.of(target).toAbsolutePath());
            }
            return ExitCode.DONE;
        });
    }

    private void fetch(StripedStore store, Path file) throws IOException {
        Path part = file.resolveSibling(
                file.getFileName() + ".part-" + ProcessHandle.current().pid());
        try (StripedInputStream in = store.open(path);
                ProgressLine progress = ProgressLine.open("get", in.file().length());
                FileChannel out = FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (ByteBuffer bytes = in.next(); bytes != null; bytes = in.next()) {
                progress.advance(bytes.remaining());
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
            }
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
    }
}
