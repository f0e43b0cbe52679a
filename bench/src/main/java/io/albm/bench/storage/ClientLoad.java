// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import io.albm.bench.process.ChildProcess;
import io.albm.bench.process.ProcessGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Our own client without redundancy (M = 0), and a file of the same disk behind one TCP connection. */
final class ClientLoad {
    private static final String CLUSTER = "albm";
    private static final int PARITY = 0;
    private static final Duration BOUND = Duration.ofMinutes(2);

    /** Of both. */
    private static final List<String> JVM = List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:-UsePerfData");

    private final ProcessGroup processes;
    private final StorageScale scale;
    private final Load load;
    private final AlbmStorage ours;
    private final Path file;
    private @Nullable String port;

    ClientLoad(ProcessGroup processes, StorageScale scale, Load load, AlbmStorage ours) {
        this.processes = processes;
        this.scale = scale;
        this.load = load;
        this.ours = ours;
        this.file = processes.directory().resolve("tcp-disk-file");
    }

    /** Writes the large file, durably. */
    Tally write() throws IOException {
        load.dropCaches();
        return Tally.parse(own("write"));
    }

    /** Reads it, with nothing of it in the kernel's memory. */
    Tally read() throws IOException {
        load.dropCaches();
        return Tally.parse(own("read"));
    }

    /** Takes it away. */
    void remove() throws IOException {
        own("remove");
    }

    private String own(String operation) throws IOException {
        String[] arguments = {
            operation,
            ours.zooKeeper(),
            CLUSTER,
            Integer.toString(AlbmStorage.NODES),
            Integer.toString(PARITY),
            Integer.toString(scale.mebibytes())
        };
        return run("own-client", OwnClient.class, arguments);
    }

    /** The peer's, durably, too. */
    Tally writeTcp() throws IOException {
        load.dropCaches();
        return Tally.parse(tcp("write"));
    }

    /** As ours; the file is gone then. */
    Tally readTcp() throws IOException {
        load.dropCaches();
        Tally tally = Tally.parse(tcp("read"));
        Files.delete(file);
        Files.delete(TcpDisk.warmUp(file));
        return tally;
    }

    private String tcp(String operation) throws IOException {
        return run("tcp-client", TcpDisk.class, operation, server(), Integer.toString(scale.mebibytes()));
    }

    private String server() throws IOException {
        if (port == null) {
            ChildProcess server = processes.startJava("tcp-disk", JVM, TcpDisk.class, "serve", file.toString());
            port = server.awaitReady(BOUND);
        }
        return port;
    }

    private String run(String name, Class<?> main, String... arguments) throws IOException {
        return processes.run(name, ProcessGroup.javaCommand(List.of(), JVM, main, arguments), BOUND);
    }
}
