// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import io.albm.bench.process.ChildProcess;
import io.albm.bench.process.ProcessGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A client that writes, reads and removes the large file as it is asked to, and has been at work for a while. */
final class ClientLoad {
    private static final String CLUSTER = "albm";
    private static final int PARITY = 0;
    private static final Duration BOUND = Duration.ofMinutes(2);
    private static final String FILE = "file";
    private static final String WARM_UP = "warm-up";
    private static final int WARM_UP_MEBIBYTES = 128;

    /**
     * Of all, ours and the peer's. Netty's buffers are faster if they may use Unsafe, as those of our servers may. As in those,
     * code of the first compiler is enough, and the second one would take processors from it in the middle of what is measured.
     */
    private static final List<String> JVM = List.of(
            "-Xmx640m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:-UsePerfData",
            "--sun-misc-unsafe-memory-access=allow");

    private final StorageScale scale;
    private final Load load;
    private final Start start;
    private @Nullable Running running;

    /** Starts a client, and its servers if nobody else does. */
    @FunctionalInterface
    private interface Start {
        Running start() throws IOException;
    }

    /** @param servers those of the client, as they are now */
    private record Running(ChildProcess client, Supplier<List<ChildProcess>> servers) {}

    private ClientLoad(StorageScale scale, Load load, Start start) {
        this.scale = scale;
        this.load = load;
        this.start = start;
    }

    /** Our own client without redundancy (M = 0). */
    static ClientLoad ours(ProcessGroup processes, StorageScale scale, Load load, AlbmStorage ours) {
        return new ClientLoad(
                scale,
                load,
                () -> new Running(
                        start(
                                processes,
                                "own-client",
                                OwnClient.class,
                                ours.zooKeeper(),
                                CLUSTER,
                                Integer.toString(AlbmStorage.NODES),
                                Integer.toString(PARITY)),
                        ours::nodes));
    }

    /** The peer: a file of the same disk behind one TCP connection. */
    static ClientLoad tcp(ProcessGroup processes, StorageScale scale, Load load) {
        return new ClientLoad(scale, load, () -> {
            String directory = Files.createDirectory(processes.directory().resolve("tcp-disk-files"))
                    .toString();
            ChildProcess server = processes.startJava("tcp-disk", JVM, TcpDisk.class, "serve", directory);
            ChildProcess client = start(processes, "tcp-client", TcpDisk.class, "client", server.awaitReady(BOUND));
            return new Running(client, () -> List.of(server));
        });
    }

    private static ChildProcess start(ProcessGroup processes, String name, Class<?> main, String... arguments)
            throws IOException {
        return processes.startAsked(name, ProcessGroup.javaCommand(List.of(), JVM, main, arguments));
    }

    /** Writes the large file, durably. */
    Tally write() throws IOException {
        return measure("write");
    }

    /** Reads it, with nothing of it in the kernel's memory. */
    Tally read() throws IOException {
        return measure("read");
    }

    /** Takes it away. */
    void remove() throws IOException {
        ask("remove", WARM_UP, WARM_UP_MEBIBYTES);
        ask("remove", FILE, scale.mebibytes());
    }

    private Tally measure(String operation) throws IOException {
        List<ChildProcess> machines = new ArrayList<>(running().servers().get());
        machines.add(running().client());
        WarmUpPasses.run(machines, () -> ask(operation, WARM_UP, WARM_UP_MEBIBYTES));
        load.dropCaches();
        return ask(operation, FILE, scale.mebibytes());
    }

    private Tally ask(String operation, String name, int mebibytes) throws IOException {
        return Tally.parse(running().client().ask(operation + " " + name + " " + mebibytes, BOUND));
    }

    private Running running() throws IOException {
        if (running == null) {
            running = start.start();
        }
        return running;
    }
}
