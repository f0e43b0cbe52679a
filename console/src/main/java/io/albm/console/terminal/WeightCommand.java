// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.Ansi;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.cli.Table;
import io.albm.core.text.Nearest;
import io.albm.core.topology.Topology;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code albm weight}. */
@Command(
        name = "weight",
        description = {
            "Show or change how much backends of a running cluster take against each other, 0 to 256. Weight 0 takes"
                    + " nothing new under any policy; other weights count for weighted-round-robin and albm-threshold."
        },
        footer = {
            "  albm weight",
            "  albm weight set cache-2 3",
            "  albm weight set 10.0.0.1:80 0",
            "  albm weight reset cache-2"
        })
final class WeightCommand implements Callable<Integer> {
    private static final List<String> ACTIONS = List.of("ls", "set", "reset");

    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "ls|set|reset",
            defaultValue = "ls",
            description = {
                "ls: the weights that are set;",
                "set ID N: in force within a second, outlives restarts;",
                "reset ID: back to what the pool's list says, or 1."
            })
    private String action = "ls";

    @Parameters(index = "1..*", arity = "0..2", paramLabel = "ID N", description = "A backend and its weight.")
    private List<String> words = List.of();

    @Override
    public Integer call() {
        switch (action) {
            case "ls" -> expect(0, "nothing more");
            case "set" -> expect(2, "ID N");
            case "reset" -> expect(1, "ID");
            default ->
                throw new CliException(
                        ExitCode.USAGE,
                        "unknown action '" + action + "': expected one of " + String.join(", ", ACTIONS)
                                + Nearest.hint(action, ACTIONS));
        }
        try (LiveCluster cluster = new LiveCluster(options)) {
            act(cluster);
        }
        return ExitCode.DONE;
    }

    private void expect(int count, String expected) {
        if (words.size() != count) {
            throw new CliException(
                    ExitCode.USAGE, "weight " + action + " " + String.join(" ", words) + ": expected " + expected);
        }
    }

    private void act(LiveCluster cluster) {
        if (words.isEmpty()) {
            show(cluster.settings(LiveCluster.DISTRIBUTOR));
            return;
        }
        var distributors = new Distributors(cluster);
        String id = words.getFirst();
        Known.require("backend", id, known(cluster, distributors));
        distributors.change(settings -> {
            Map<String, String> changed = new TreeMap<>(settings);
            if (words.size() == 1) {
                changed.remove(Topology.weightKey(id));
            } else {
                changed.put(Topology.weightKey(id), words.get(1));
            }
            return changed;
        });
    }

    /** Those that can have a weight; one that has gone can have left one. */
    private SortedSet<String> known(LiveCluster cluster, Distributors distributors) {
        SortedSet<String> known = new TreeSet<>(distributors.backends());
        if (action.equals("reset")) {
            known.addAll(weights(cluster.settings(LiveCluster.DISTRIBUTOR)).keySet());
        }
        return known;
    }

    private static SortedMap<String, String> weights(Map<String, String> settings) {
        String prefix = Topology.weightKey("");
        SortedMap<String, String> weights = new TreeMap<>();
        settings.forEach((key, value) -> {
            if (key.startsWith(prefix)) {
                weights.put(key.substring(prefix.length()), value);
            }
        });
        return weights;
    }

    private static void show(Map<String, String> settings) {
        Table table = Table.of("BACKEND", "WEIGHT").right(1);
        weights(settings).forEach(table::row);
        System.out.print(table.render(Ansi.stdout()));
    }
}
