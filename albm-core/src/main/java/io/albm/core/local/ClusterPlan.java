// SPDX-License-Identifier: Apache-2.0
package io.albm.core.local;

import io.albm.core.node.Role;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which processes make up a local cluster, with which ports and heaps. Pure. Heaps are small because a dozen JVMs share
 * one machine, but for those that grow with the files: none of them does by itself.
 */
final class ClusterPlan {
    private static final String LOOPBACK = "127.0.0.1";
    private static final int ADMIN_OFFSET = 1000;
    private static final int ZOOKEEPER_PORT = 2181;
    private static final int DISTRIBUTOR_PORT = 8080;
    private static final int CONSOLE_PORT = 8090;
    private static final int CACHE_BASE = 8100;
    private static final int STORAGE_BASE = 8200;
    private static final int COORDINATOR_PORT = 8300;
    private static final int AGENT_BASE = 8400;

    /** The storage node that leads has the file table in memory: what a million names take. */
    private static final int TABLE_HEAP_MEBIBYTES = 1024;

    /** ZooKeeper has the file table's log and its last 500 transactions in memory. */
    private static final int LOG_HEAP_MEBIBYTES = 512;

    private final ClusterSpec cluster;

    ClusterPlan(ClusterSpec cluster) {
        this.cluster = cluster;
    }

    /** The process that all others need. */
    ProcessSpec zooKeeper() {
        return process("zookeeper", Role.ZOOKEEPER, LOG_HEAP_MEBIBYTES, ZOOKEEPER_PORT);
    }

    /** All others, in the order in which to start them. */
    List<ProcessSpec> others(String zooKeeper) {
        List<ProcessSpec> all = new ArrayList<>();
        for (int n = 1; n <= cluster.storageNodes(); n++) {
            all.add(process("storage-" + n, Role.STORAGE_NODE, TABLE_HEAP_MEBIBYTES, STORAGE_BASE + n));
        }
        for (int n = 1; n <= cluster.cacheServers(); n++) {
            all.add(process("cache-" + n, Role.CACHE_SERVER, 192, CACHE_BASE + n)
                    .with("docs", cluster.docs().toString()));
            all.add(agent(n));
        }
        all.add(process("distributor", Role.DISTRIBUTOR, 128, DISTRIBUTOR_PORT));
        all.add(process("coordinator", Role.COORDINATOR, 128, COORDINATOR_PORT));
        all.add(process("console", Role.CONSOLE, 64, CONSOLE_PORT));
        return all.stream().map(process -> process.with("zookeeper", zooKeeper)).toList();
    }

    /** An agent listens for health and metrics only. */
    private ProcessSpec agent(int n) {
        ProcessSpec agent =
                process("agent-" + n, Role.AGENT, 32, AGENT_BASE + n).with("host", "cache-" + n);
        Map<String, String> settings = new LinkedHashMap<>(agent.settings());
        settings.remove(ProcessSpec.PORT);
        return new ProcessSpec(agent.id(), agent.role(), agent.heapMebibytes(), settings);
    }

    private ProcessSpec process(String id, Role role, int heapMebibytes, int port) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put("id", id);
        settings.put("cluster", cluster.name());
        settings.put("bind", LOOPBACK);
        settings.put(ProcessSpec.PORT, port(port));
        settings.put(ProcessSpec.ADMIN_PORT, port(port + ADMIN_OFFSET));
        settings.put("data", cluster.directory().resolve("data").resolve(id).toString());
        settings.putAll(cluster.settings().getOrDefault(role, Map.of()));
        return new ProcessSpec(id, role, heapMebibytes, settings);
    }

    private String port(int documented) {
        return Integer.toString(cluster.freePorts() ? 0 : documented);
    }
}
