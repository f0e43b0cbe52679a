// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import io.albm.core.cli.ExitCode;
import io.albm.core.config.Key;
import io.albm.storage.FileInfo;
import io.albm.storage.PutMode;
import io.albm.storage.StripeGeometry;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code albm storage put}. */
@Command(
        name = "put",
        description = {
            "Store a file. It is there, wholly, when the command has ended with 0: durable on every node of its stripes.",
            "If a node is lost on the way, a file is written again over the other nodes; standard input cannot be."
        },
        footer = {"  albm storage put results.tar /runs/7/results.tar", "  tar c . | albm storage put - backup.tar"})
final class PutCommand implements Callable<Integer> {
    private static final Key<Long> UNIT = Key.size(
            "unit",
            StripeSettings.DEFAULT.unitBytes(),
            64L << 10,
            StripeGeometry.MAX_UNIT_BYTES,
            "Bytes of a stripe unit.");

    @Mixin
    private Connection connection = new Connection();

    @Mixin
    private Output output = new Output();

    @Mixin
    private ParityOption parity = new ParityOption();

    @Parameters(paramLabel = "FILE", description = "What to store; - is standard input.")
    private String source = "-";

    @Parameters(paramLabel = "PATH", description = "Its name in the storage, such as /runs/7/results.tar.")
    private String path = "";

    @Option(names = "--replace", description = "Take the place of a file that is there, in one step.")
    private boolean replace;

    @Option(
            names = "--unit",
            paramLabel = "SIZE",
            description = "Bytes of a stripe unit, 64 KiB to 16 MiB; default ${DEFAULT-VALUE}.")
    private String unit = "1 MiB";

    @Override
    public Integer call() throws IOException {
        int unitBytes = Math.toIntExact(UNIT.parse(unit, "command line --unit"));
        return connection.with(parity.in(StripeSettings.DEFAULT.withUnitBytes(unitBytes)), store -> {
            FileInfo file = put(store, replace ? PutMode.REPLACE : PutMode.CREATE);
            output.print(
                    file,
                    () -> "stored " + file.path() + ", " + Sizes.text(file.length()) + " over "
                            + file.nodes().size() + " nodes");
            return ExitCode.DONE;
        });
    }

    private FileInfo put(StripedStore store, PutMode mode) throws IOException {
        if (source.equals("-")) {
            return store.writeFile(path, System.in, mode);
        }
        Path file = Path.of(source);
        long bytes = Files.size(file);
        try (ProgressLine progress = ProgressLine.open("put", bytes)) {
            StripedStore.Source content = () -> progress.counting(Files.newInputStream(file));
            return store.writeFile(path, StripedStore.Source.of(bytes, content), mode);
        }
    }
}
