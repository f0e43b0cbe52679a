// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.ExitCode;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code albm drain}. */
@Command(
        name = "drain",
        description = {
            "Take cache servers of a running cluster out of the rotation: they finish what they have and get no new"
                    + " requests, until 'albm undrain'. The mark outlives restarts."
        },
        footer = {"  albm drain cache-2", "  albm status", "  albm undrain cache-2"})
final class DrainCommand implements Callable<Integer> {
    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Parameters(arity = "1..*", paramLabel = "ID", description = "Cache servers to take out.")
    private List<String> ids = List.of();

    @Override
    public Integer call() {
        try (LiveCluster cluster = new LiveCluster(options)) {
            List<String> known = cluster.members(Role.CACHE_SERVER).keySet().stream()
                    .map(NodeId::value)
                    .toList();
            ids.forEach(id -> Known.require("cache server", id, known));
            String now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
            for (String id : ids) {
                cluster.set(DrainMark.scope(id), DrainMark.SINCE, now);
                System.out.println(id + ": drained");
            }
            return ExitCode.DONE;
        }
    }
}
