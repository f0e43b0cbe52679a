// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.json.Json;
import io.albm.core.json.JsonException;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.Role;
import io.albm.core.text.Nearest;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
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
    private static final Duration ANSWER_BOUND = Duration.ofSeconds(2);

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
            SortedMap<String, NodeAddress> asked = asked(cluster);
            if (csv) {
                System.out.print(get(only(asked), "/stats;csv"));
            } else {
                show(asked);
            }
            return ExitCode.DONE;
        }
    }

    private SortedMap<String, NodeAddress> asked(LiveCluster cluster) {
        SortedMap<String, NodeAddress> running = new TreeMap<>();
        cluster.members(Role.DISTRIBUTOR)
                .forEach((id, member) ->
                        member.endpoint(Member.ADMIN).ifPresent(admin -> running.put(id.value(), admin)));
        if (running.isEmpty()) {
            throw new CliException(ExitCode.DEGRADED, "no distributor runs");
        }
        String one = distributor;
        if (one == null) {
            return running;
        }
        NodeAddress address = running.get(one);
        if (address == null) {
            throw new CliException(
                    ExitCode.USAGE,
                    "no distributor '" + one + "': expected one of " + String.join(", ", running.keySet())
                            + Nearest.hint(one, running.keySet()));
        }
        return new TreeMap<>(Map.of(one, address));
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

    private void show(SortedMap<String, NodeAddress> asked) {
        SortedMap<String, JsonNode> rows = new TreeMap<>();
        asked.forEach((id, admin) -> rows.put(id, rows(admin)));
        System.out.print(json ? Json.text(rows) + "\n" : StatsText.of(rows));
    }

    private static JsonNode rows(NodeAddress admin) {
        try {
            return Json.tree(get(admin, "/stats;json"));
        } catch (JsonException e) {
            throw new CliException(ExitCode.FAILED, admin + " answers, but not with statistics: " + e.getMessage(), e);
        }
    }

    private static String get(NodeAddress admin, String path) {
        try {
            AdminProbe answer = AdminProbe.get(admin, path, ANSWER_BOUND);
            if (answer.status() == 200) {
                return answer.body();
            }
            throw new CliException(ExitCode.FAILED, "http://" + admin + path + ": status " + answer.status());
        } catch (IOException e) {
            throw new CliException(ExitCode.DEGRADED, "http://" + admin + path + ": " + e.getMessage(), e);
        }
    }
}
