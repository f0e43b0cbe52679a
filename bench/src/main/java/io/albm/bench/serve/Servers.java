// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.serve;

import io.albm.bench.compare.Contender;
import io.albm.bench.compare.Nginx;
import io.albm.bench.compare.Payload;
import io.albm.bench.process.ChildProcess;
import io.albm.bench.process.Ports;
import io.albm.bench.process.ProcessGroup;
import io.albm.bench.process.Roles;
import io.albm.core.local.Installation;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Starts the contenders over the same files: our cache server as {@code albm run cache-server} does, with everything as
 * shipped, and its peers with as many workers as it has event loops.
 */
final class Servers {
    static final String OURS = "albm";
    private static final String HOST = "127.0.0.1";

    /** A thread for each connection of the largest load, and some for what else it does. */
    private static final int VARNISH_THREADS = 500;

    private final ProcessGroup processes;
    private final Path documents;

    private Servers(ProcessGroup processes, Path documents) {
        this.processes = processes;
        this.documents = documents;
    }

    /** Writes the documents. */
    static Servers over(ProcessGroup processes) throws IOException {
        Path documents = Files.createDirectory(processes.directory().resolve("documents"));
        for (Payload payload : Payload.values()) {
            Files.write(documents.resolve(payload.path().substring(1)), payload.content());
        }
        return new Servers(processes, documents);
    }

    /** Our cache server, beside a ZooKeeper. */
    Contender ours(Installation installation) throws IOException {
        ChildProcess process = Roles.start(processes, installation)
                .start("cache-server", "cache-server", List.of("--port", "0", "--docs", documents.toString()));
        return new Contender(OURS, process, Roles.endpoint(process, "http"));
    }

    /** An nginx that serves the files. */
    Contender nginx() throws IOException {
        int port = Ports.free();
        Path file = processes.directory().resolve("nginx.conf");
        int workers = Runtime.getRuntime().availableProcessors();
        Files.writeString(file, StaticNginx.configuration(workers, documents, port));
        return listening(ServeTarget.NGINX, Nginx.command(file, processes.directory()), port);
    }

    /** A Varnish in front of that server. */
    Contender varnish(NodeAddress origin) throws IOException {
        int port = Ports.free();
        Path file = processes.directory().resolve("varnish.vcl");
        Files.writeString(file, Varnish.configuration(origin));
        return listening(
                ServeTarget.VARNISH, Varnish.command(file, processes.directory(), port, VARNISH_THREADS), port);
    }

    private Contender listening(String name, List<String> command, int port) throws IOException {
        ChildProcess process = processes.start(name, command);
        process.awaitListening(port);
        return new Contender(name, process, new NodeAddress(HOST, port));
    }
}
