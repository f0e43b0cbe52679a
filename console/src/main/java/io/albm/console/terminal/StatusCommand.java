// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import io.albm.core.access.ClusterConnection;
import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.Ansi;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.json.Json;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code albm status}. */
@Command(
        name = "status",
        description = {
            "Show the members of a cluster with their health and its reasons, the counters of their hosts, the routing"
                    + " policy, and who is relieved and why.",
            "A process that was started here and does not run any more is shown as gone."
        },
        footer = {
            "  albm status",
            "  albm status --counters",
            "  albm status --json | jq '.processes[] | select(.state != \"up\")'",
            "  albm status --zookeeper rack-1:2181,rack-2:2181"
        })
final class StatusCommand implements Callable<Integer> {
    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Option(names = "--counters", description = "Every counter of each host, instead of the processes.")
    private boolean counters;

    @Override
    public Integer call() {
        try (ClusterConnection connection = options.connect()) {
            ClusterStatus status =
                    new StatusReader(connection.cluster(), connection.zooKeeper()).read(options.record());
            if (!status.reachable() && status.processes().isEmpty()) {
                throw new CliException(
                        ExitCode.ZOOKEEPER_UNREACHABLE,
                        "ZooKeeper " + status.zookeeper() + " does not answer, and no cluster was started here;"
                                + " 'albm up' starts one, --zookeeper names another");
            }
            System.out.print(json ? Json.pretty(status) + "\n" : text(status));
            return status.exitCode();
        }
    }

    private String text(ClusterStatus status) {
        StatusText text = new StatusText(Ansi.stdout(), Instant.now());
        return counters ? text.allCounters(status) : text.render(status);
    }
}
