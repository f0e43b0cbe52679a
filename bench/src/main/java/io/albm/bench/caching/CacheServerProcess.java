// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.caching;

import io.albm.bench.load.DocumentTree;
import io.albm.bench.process.AdminPort;
import io.albm.bench.process.ChildProcess;
import io.albm.bench.process.Roles;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * A cache server in front of a slow disk, as {@code albm run cache-server} starts it. It reads past the page cache, and
 * does not look again at files that nobody changes.
 *
 * @param process what runs
 * @param http where it serves
 * @param admin its admin port
 */
record CacheServerProcess(ChildProcess process, NodeAddress http, NodeAddress admin) {
    /**
     * Starts one, and waits for it.
     *
     * @param id unique in the run
     * @param options beyond port, documents and disk
     */
    static CacheServerProcess start(Roles roles, SlowDisk disk, String id, DocumentTree documents, List<String> options)
            throws IOException {
        List<String> all = new ArrayList<>(
                List.of("--port", "0", "--docs", documents.root().toString()));
        all.addAll(List.of("--direct-reads", "--check-interval", "1h"));
        all.addAll(options);
        ChildProcess process = roles.start("cache-server", id, all);
        var started =
                new CacheServerProcess(process, Roles.endpoint(process, "http"), Roles.endpoint(process, "admin"));
        disk.slow(process);
        return started;
    }

    /** What its metrics say by now. */
    Counted counted() throws IOException {
        return new Counted(
                AdminPort.counter(admin, "albm_cache_requests_total"),
                AdminPort.counter(admin, "albm_cache_reads_total"),
                AdminPort.counter(admin, "albm_cache_requested_bytes_total"),
                AdminPort.counter(admin, "albm_cache_read_bytes_total"));
    }

    /** Requests and bytes, and what of both was read from the source. */
    record Counted(double requests, double reads, double requestedBytes, double readBytes) {
        static Counted sum(Collection<Counted> all) {
            return new Counted(
                    all.stream().mapToDouble(Counted::requests).sum(),
                    all.stream().mapToDouble(Counted::reads).sum(),
                    all.stream().mapToDouble(Counted::requestedBytes).sum(),
                    all.stream().mapToDouble(Counted::readBytes).sum());
        }

        Counted minus(Counted before) {
            return new Counted(
                    requests - before.requests,
                    reads - before.reads,
                    requestedBytes - before.requestedBytes,
                    readBytes - before.readBytes);
        }

        double objectHitRatio() {
            return requests == 0 ? 0 : 1 - reads / requests;
        }

        double byteHitRatio() {
            return requestedBytes == 0 ? 0 : 1 - readBytes / requestedBytes;
        }
    }
}
