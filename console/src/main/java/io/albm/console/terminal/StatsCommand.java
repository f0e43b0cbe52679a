// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.json.Json;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.Role;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code albm stats}. */
@Command(
        name = "stats",
        description = {
            "Show what went through the frontends, pools and backends of the distributors, as HAProxy's statistics do.",
            "The same is on each distributor's admin port: /stats is a page, /stats;csv is HAProxy's CSV."
        },
        footer = {"  albm stats", "  albm stats --csv --distributor lb-1", "  albm stats --json"})
final class StatsCommand implements Callable<Integer> {
    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Option(names = "--distributor", paramLabel = "ID", description = "Of this one alone.")
    private @Nullable String distributor;

    @Option(names = "--csv", description = "HAProxy's CSV, for one distributor.")
    private boolean csv;

    @Option(names = "--json", description = "Rows by distributor, for a program.")
    private boolean json;

    @Override
    public Integer call() {
        if (csv && json) {
            throw new CliException(ExitCode.USAGE, "--csv and --json: expected one of them");
        }
        try (LiveCluster cluster = new LiveCluster(options)) {
            AdminPorts asked = AdminPorts.of(cluster, Role.DISTRIBUTOR, distributor);
            if (csv) {
                System.out.print(AdminPorts.text(only(asked.ports()), "/stats;csv"));
            } else {
                show(asked.ask(admin -> AdminPorts.json(admin, "/stats;json")));
            }
            return ExitCode.DONE;
        }
    }

    private static NodeAddress only(SortedMap<String, NodeAddress> asked) {
        if (asked.size() > 1) {
            throw new CliException(
                    ExitCode.USAGE,
                    "--csv: expected --distributor with one of " + String.join(", ", asked.keySet())
                            + ", since the CSV has no column for it");
        }
        return asked.values().iterator().next();
    }

    private void show(SortedMap<String, JsonNode> rows) {
        System.out.print(json ? Json.text(rows) + "\n" : StatsText.of(rows));
    }
}
