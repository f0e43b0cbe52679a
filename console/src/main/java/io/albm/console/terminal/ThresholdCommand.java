// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.Ansi;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.cli.Table;
import io.albm.core.config.CounterUnits;
import io.albm.core.config.ThresholdSettings;
import io.albm.core.node.Counter;
import io.albm.core.node.Threshold;
import io.albm.core.node.Thresholds;
import io.albm.core.text.Nearest;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code albm threshold}. */
@Command(
        name = "threshold",
        description = {
            "Show or change the levels of counters at which the policy albm-threshold takes a host out of the rotation of"
                    + " a running cluster, and back in: out if it is past the first level of any, back when it is past the"
                    + " second of all.",
            "Two levels, because one would flap: a host that gets no requests frees memory at once."
        },
        footer = {
            "  albm threshold",
            "  albm threshold set available-memory 100MiB 130MiB",
            "  albm threshold set memory-pressure 30% 10%",
            "  albm threshold reset memory-pressure"
        })
final class ThresholdCommand implements Callable<Integer> {
    private static final String AT_START = "as each distributor was started";

    private static final List<String> ACTIONS = List.of("ls", "set", "reset");

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "ls|set|reset",
            defaultValue = "ls",
            description = {
                "ls: the levels that are set, and the counters that can have some;",
                "set COUNTER RELIEVE RECOVER: in force within a second, outlives restarts;",
                "reset [COUNTER]: back to what each distributor was started with."
            })
    private String action = "ls";

    @Parameters(
            index = "1..*",
            arity = "0..3",
            paramLabel = "COUNTER RELIEVE RECOVER",
            description = "A counter and its levels, in its unit: 100MiB, 80%%, 500/s, 4.")
    private List<String> words = List.of();

    @Override
    public Integer call() {
        Consumer<LiveCluster> change = change();
        try (LiveCluster cluster = new LiveCluster(options)) {
            change.accept(cluster);
            return ExitCode.DONE;
        }
    }

    /** Makes sense of the command line before anything is asked of the cluster. */
    private Consumer<LiveCluster> change() {
        return switch (action) {
            case "ls" -> cluster -> show(cluster.settings(LiveCluster.DISTRIBUTOR));
            case "set" -> set();
            case "reset" -> reset();
            default ->
                throw new CliException(
                        ExitCode.USAGE,
                        "unknown action '" + action + "': expected one of " + String.join(", ", ACTIONS)
                                + Nearest.hint(action, ACTIONS));
        };
    }

    /** Both levels at once: one of the old pair and one of the new could be crossed. */
    private Consumer<LiveCluster> set() {
        if (words.size() != 3) {
            throw new CliException(
                    ExitCode.USAGE,
                    "threshold set " + String.join(" ", words)
                            + ": expected COUNTER RELIEVE RECOVER, both levels, for one would flap");
        }
        Threshold threshold = threshold(words.get(0), words.get(1), words.get(2));
        return cluster -> {
            new Distributors(cluster).change(settings -> with(threshold, settings));
            System.out.println(words.get(0) + ": relieve past " + words.get(1) + ", recover past " + words.get(2));
        };
    }

    private Consumer<LiveCluster> reset() {
        if (words.size() > 1) {
            throw new CliException(
                    ExitCode.USAGE, "threshold reset " + String.join(" ", words) + ": expected one COUNTER, or none");
        }
        List<Counter> counters = words.isEmpty() ? List.of(Counter.values()) : List.of(counter(words.getFirst()));
        return cluster -> {
            new Distributors(cluster).change(settings -> without(counters, settings));
            System.out.println((words.isEmpty() ? "all thresholds" : words.getFirst()) + ": " + AT_START);
        };
    }

    private static void show(Map<String, String> settings) {
        Table table = Table.of("COUNTER", "RELIEVE", "RECOVER", "").right(1, 2);
        for (Counter counter : Counter.values()) {
            table.row(
                    counter.label(),
                    settings.getOrDefault(ThresholdSettings.relieveKey(counter), "-"),
                    settings.getOrDefault(ThresholdSettings.recoverKey(counter), "-"),
                    counter.help());
        }
        System.out.print(table.render(Ansi.stdout()));
        System.out.println("- : " + AT_START + "; 'albm status' shows the levels in force");
    }

    private static Map<String, String> with(Threshold threshold, Map<String, String> settings) {
        Map<String, String> changed = new TreeMap<>(settings);
        changed.putAll(ThresholdSettings.settings(Thresholds.of(threshold)));
        return changed;
    }

    private static Map<String, String> without(List<Counter> counters, Map<String, String> settings) {
        Map<String, String> changed = new TreeMap<>(settings);
        counters.forEach(counter -> {
            changed.remove(ThresholdSettings.relieveKey(counter));
            changed.remove(ThresholdSettings.recoverKey(counter));
        });
        return changed;
    }

    private static Threshold threshold(String name, String relieve, String recover) {
        Counter counter = counter(name);
        return checked(() ->
                new Threshold(counter, CounterUnits.parse(counter, relieve), CounterUnits.parse(counter, recover)));
    }

    private static Counter counter(String name) {
        return checked(() -> Counter.parse(name));
    }

    private static <T> T checked(Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw new CliException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }
}
