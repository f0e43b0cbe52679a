// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.cli.ExitCode;
import io.albm.core.node.CounterReport;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@code albm status} knows about a cluster; its JSON form is what {@code --json} prints.
 *
 * @param cluster its name
 * @param zookeeper where membership was asked for
 * @param reachable whether ZooKeeper answered; if not, only what was started here is known
 * @param healthy whether processes are known and every one of them serves
 * @param processes by role and id
 * @param counters last report of each agent
 * @param routing what the distributor says about its policy and backends; null without a distributor
 */
public record ClusterStatus(
        String cluster,
        String zookeeper,
        boolean reachable,
        boolean healthy,
        List<ProcessStatus> processes,
        List<CounterReport> counters,
        @Nullable JsonNode routing) {

    static ClusterStatus of(
            String cluster,
            String zookeeper,
            boolean reachable,
            List<ProcessStatus> processes,
            List<CounterReport> counters,
            @Nullable JsonNode routing) {
        boolean healthy = reachable
                && !processes.isEmpty()
                && processes.stream().allMatch(process -> process.state().serving());
        return new ClusterStatus(cluster, zookeeper, reachable, healthy, processes, counters, routing);
    }

    /** For scripts: 0 healthy, 3 degraded, 69 ZooKeeper unreachable. */
    int exitCode() {
        if (!reachable) {
            return ExitCode.ZOOKEEPER_UNREACHABLE;
        }
        return healthy ? ExitCode.DONE : ExitCode.DEGRADED;
    }
}
