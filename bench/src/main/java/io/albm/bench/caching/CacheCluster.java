// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.caching;

import io.albm.bench.caching.CacheServerProcess.Counted;
import io.albm.bench.load.DocumentTree;
import io.albm.bench.process.ChildProcess;
import io.albm.bench.process.LiveRouting;
import io.albm.bench.process.ProcessGroup;
import io.albm.bench.process.Roles;
import io.albm.core.cluster.Cluster;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** A distributor and the cache servers behind it, which come and go with the runs. */
final class CacheCluster {
    private final ProcessGroup processes;
    private final Roles roles;
    private final DocumentTree documents;
    private final long capacityBytes;
    private final NodeAddress http;
    private final LiveRouting routing;
    private int started;

    /** Starts the distributor. */
    CacheCluster(ProcessGroup processes, Roles roles, Cluster cluster, DocumentTree documents, long capacityBytes)
            throws IOException {
        this.processes = processes;
        this.roles = roles;
        this.documents = documents;
        this.capacityBytes = capacityBytes;
        ChildProcess distributor =
                roles.start("distributor", "distributor", List.of("--port", "0", "--slow-start", "0s"));
        this.http = Roles.endpoint(distributor, "http");
        this.routing = new LiveRouting(cluster, Roles.endpoint(distributor, "admin"));
    }

    /** Servers that have just started. */
    record Servers(List<CacheServerProcess> servers, List<SlowDisk> disks, ProcessGroup processes)
            implements AutoCloseable {
        /** What the metrics of each say by now. */
        List<Counted> counted() throws IOException {
            List<Counted> all = new ArrayList<>();
            for (CacheServerProcess server : servers) {
                all.add(server.counted());
            }
            return all;
        }

        @Override
        public void close() throws IOException {
            for (CacheServerProcess server : servers) {
                processes.stop(server.process());
            }
            for (SlowDisk disk : disks) {
                disk.close();
            }
        }
    }

    /** Starts servers, and waits until the distributor sends requests to all of them, by that policy. */
    Servers start(int count, String policy) throws IOException, InterruptedException {
        List<SlowDisk> disks = new ArrayList<>();
        List<CacheServerProcess> servers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String id = "cache-" + ++started;
            SlowDisk disk = SlowDisk.under(processes.directory(), id.replace('-', 'n'), _ -> {});
            disks.add(disk);
            servers.add(CacheServerProcess.start(
                    roles, disk, id, documents, List.of("--capacity", Long.toString(capacityBytes))));
        }
        routing.choose(policy);
        routing.awaitBackends(count);
        return new Servers(servers, disks, processes);
    }

    /** Where the distributor serves. */
    NodeAddress http() {
        return http;
    }
}
