// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.cli.Ansi;
import io.albm.core.cli.Table;
import io.albm.core.config.CounterUnits;
import io.albm.core.node.Counter;
import io.albm.core.node.CounterReport;
import io.albm.core.node.HostHealth;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;

/** A cluster's state for people. */
final class StatusText {
    private final Ansi ansi;
    private final Instant now;

    StatusText(Ansi ansi, Instant now) {
        this.ansi = ansi;
        this.now = now;
    }

    String render(ClusterStatus status) {
        StringBuilder text = new StringBuilder(summary(status))
                .append("\n\n")
                .append(status.processes().isEmpty() ? nobody(status) : processes(status));
        if (!status.counters().isEmpty()) {
            text.append('\n').append(counters(status));
        }
        JsonNode routing = status.routing();
        if (routing != null) {
            text.append('\n').append(routing(routing));
            routing.path("others").forEach(other -> text.append('\n').append(routing(other)));
        }
        return text.toString();
    }

    private static String nobody(ClusterStatus status) {
        return "no process of cluster '" + status.cluster()
                + "' is there: it has ended, or --cluster or --zookeeper name another\n";
    }

    private String summary(ClusterStatus status) {
        long serving = status.processes().stream()
                .filter(process -> process.state().serving())
                .count();
        String counts = serving + " of " + status.processes().size() + " processes serve";
        String zooKeeper = "ZooKeeper " + status.zookeeper() + (status.reachable() ? "" : " does not answer");
        return "cluster " + ansi.bold(status.cluster()) + ": " + verdict(status) + ", " + counts + ", " + zooKeeper;
    }

    private String verdict(ClusterStatus status) {
        if (!status.reachable()) {
            return ansi.red("ZOOKEEPER UNREACHABLE");
        }
        return status.healthy() ? ansi.green("healthy") : ansi.red("DEGRADED");
    }

    private String processes(ClusterStatus status) {
        Table table =
                Table.of("PROCESS", "ROLE", "STATE", "WHERE", "PID", "WHY").right(4);
        for (ProcessStatus process : status.processes()) {
            table.row(
                    process.id(),
                    process.role(),
                    coloured(process.state()),
                    where(process.endpoints()),
                    process.pid() == 0 ? "-" : process.pid(),
                    String.join("; ", process.reasons()));
        }
        return table.render(ansi);
    }

    private String coloured(ProcessState state) {
        String text = state.toString();
        return switch (state) {
            case UP -> ansi.green(text);
            case WARNING -> ansi.yellow(text);
            case NOT_READY, SILENT, GONE -> ansi.red(text);
        };
    }

    /** What a process is there for comes first; its admin port is worth showing only if there is nothing else. */
    static String where(Map<String, NodeAddress> endpoints) {
        String uses = endpoints.entrySet().stream()
                .filter(endpoint -> !endpoint.getKey().equals(Member.ADMIN))
                .map(endpoint -> endpoint.getKey() + " " + endpoint.getValue())
                .collect(Collectors.joining(", "));
        NodeAddress admin = endpoints.get(Member.ADMIN);
        return uses.isEmpty() && admin != null ? "admin " + admin : uses;
    }

    /** Those of the paper fit a line; {@link #allCounters} has the rest. */
    private String counters(ClusterStatus status) {
        List<String> head = new ArrayList<>(List.of("HOST", "HEALTH"));
        Counter.OF_PAPER.forEach(counter -> head.add(heading(counter)));
        head.add("AGE");
        Table table = Table.of(head.toArray(String[]::new)).right(rightOf(2, head.size()));
        for (CounterReport report : status.counters()) {
            List<Object> row = new ArrayList<>(List.of(report.node(), health(report.health())));
            Counter.OF_PAPER.forEach(counter -> row.add(value(report, counter)));
            row.add(Math.max(0, Duration.between(report.at(), now).toSeconds()) + " s");
            table.row(row.toArray());
        }
        return table.render(ansi);
    }

    /** Every counter of the registry, one on a line, with what it means. */
    String allCounters(ClusterStatus status) {
        List<String> head = new ArrayList<>(List.of("COUNTER"));
        status.counters().forEach(report -> head.add(report.node().toString()));
        head.add("");
        Table table = Table.of(head.toArray(String[]::new)).right(rightOf(1, head.size() - 1));
        for (Counter counter : Counter.values()) {
            List<Object> row = new ArrayList<>(List.of(counter.label()));
            status.counters().forEach(report -> row.add(value(report, counter)));
            row.add(counter.help());
            table.row(row.toArray());
        }
        return table.render(ansi);
    }

    private static String value(CounterReport report, Counter counter) {
        return CounterUnits.rounded(counter, report.sample().value(counter));
    }

    private static String heading(Counter counter) {
        return counter.label().replace('-', ' ').toUpperCase(Locale.ROOT);
    }

    private static int[] rightOf(int first, int end) {
        return IntStream.range(first, end).toArray();
    }

    private String health(HostHealth health) {
        return switch (health) {
            case HostHealth.Serving _ -> ansi.green("serving");
            case HostHealth.Draining _ -> ansi.yellow("draining");
            case HostHealth.Relieved relieved -> ansi.yellow("relieved: " + relieved.counter());
        };
    }

    private String routing(JsonNode routing) {
        Table table =
                Table.of("BACKEND", "ADDRESS", "ROUTING", "IN FLIGHT", "WHY").right(3);
        for (JsonNode backend : routing.path("backends")) {
            table.row(
                    backend.path("id").asText(),
                    backend.path("address").asText(),
                    backend.path("health").asText(),
                    backend.path("inFlight").asInt(),
                    why(backend));
        }
        return pool(routing) + "routing policy "
                + ansi.bold(routing.path("policy").asText()) + levels(routing.path("thresholds")) + "\n"
                + panic(routing) + table.render(ansi);
    }

    /** There is nothing to tell apart where there is one pool alone. */
    private static String pool(JsonNode routing) {
        String name = routing.path("pool").asText("main");
        return name.equals("main") ? "" : "pool " + name + ": ";
    }

    private String panic(JsonNode routing) {
        return routing.path("panic").asBoolean()
                ? ansi.red("PANIC") + ": too few backends can serve; those that should not get requests, too\n"
                : "";
    }

    private static String levels(JsonNode thresholds) {
        String levels = StreamSupport.stream(thresholds.spliterator(), false)
                .flatMap(threshold ->
                        Counter.find(threshold.path("counter").asText())
                                .map(counter -> level(counter, threshold))
                                .stream())
                .collect(Collectors.joining("; "));
        return levels.isEmpty() ? "" : ": " + levels;
    }

    private static String level(Counter counter, JsonNode threshold) {
        boolean lowIsBad = counter.direction() == Counter.Direction.LOW_IS_BAD;
        return "relieved " + (lowIsBad ? "below " : "above ")
                + CounterUnits.rounded(counter, threshold.path("relieve").asDouble()) + " of "
                + counter.label().replace('-', ' ') + ", back " + (lowIsBad ? "above " : "below ")
                + CounterUnits.rounded(counter, threshold.path("recover").asDouble());
    }

    private static String why(JsonNode backend) {
        String reason = backend.path("reason").asText("");
        JsonNode relieved = backend.path("relieved");
        return relieved.isObject()
                ? reason + ", for " + Math.round(relieved.path("forSeconds").asDouble()) + " s"
                : reason.equals("null") ? "" : reason;
    }
}
