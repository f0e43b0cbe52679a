// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code albm cache policy}. */
@Command(
        name = "policy",
        description = {
            "Show or change which documents are evicted when the memory is full, and what for. A change is in force within a second,"
                    + " loses no document and outlives restarts."
        },
        footer = {
            "  albm cache policy",
            "  albm cache policy gdsf",
            "  albm cache policy --objective read-time",
            "  albm cache policy --reset --server cache-1"
        })
final class CachePolicyCommand implements Callable<Integer> {
    private static final String SETTING = "policy";
    private static final String OBJECTIVE = "objective";
    private static final List<String> OBJECTIVES = List.of("object-hits", "read-time");

    @Mixin
    private CacheServers servers = new CacheServers();

    @Parameters(arity = "0..1", paramLabel = "NAME", description = "The policy from now on.")
    private @Nullable String name;

    @Option(
            names = "--objective",
            paramLabel = "object-hits|read-time",
            description = "What hits are for: fewest reads, or least time spent on reading.")
    private @Nullable String objective;

    @Option(
            names = "--reset",
            description =
                    "Go back to the policy and objective that each was started with; those with their own keep them without --server.")
    private boolean reset;

    @Override
    public Integer call() {
        if ((name != null || objective != null) && reset) {
            throw new CliException(ExitCode.USAGE, "--reset goes with neither a policy nor --objective");
        }
        if (objective != null) {
            Known.require(OBJECTIVE, objective, OBJECTIVES);
        }
        try (LiveCluster cluster = servers.connect()) {
            SortedMap<String, JsonNode> states = servers.ports(cluster).ask(CacheServers::status);
            if (name == null && objective == null && !reset) {
                show(states);
                return ExitCode.DONE;
            }
            if (name != null) {
                Known.require("policy", name, known(states));
            }
            servers.change(cluster, changes());
            return ExitCode.DONE;
        }
    }

    private SortedMap<String, Optional<String>> changes() {
        SortedMap<String, Optional<String>> changes = new TreeMap<>();
        if (name != null || reset) {
            changes.put(SETTING, Optional.ofNullable(name));
        }
        if (objective != null || reset) {
            changes.put(OBJECTIVE, Optional.ofNullable(objective));
        }
        return changes;
    }

    private static void show(SortedMap<String, JsonNode> states) {
        states.forEach((id, state) ->
                System.out.println(id + ": " + state.path("policy").asText() + " for "
                        + state.path(OBJECTIVE).asText()));
        System.out.println("known: " + String.join(", ", known(states)));
    }

    /** Those that every server has. */
    private static List<String> known(SortedMap<String, JsonNode> states) {
        TreeSet<String> known = null;
        for (JsonNode state : states.values()) {
            TreeSet<String> names = new TreeSet<>();
            state.path("policies").forEach(policy -> names.add(policy.asText()));
            if (known == null) {
                known = names;
            } else {
                known.retainAll(names);
            }
        }
        return known == null ? List.of() : List.copyOf(known);
    }
}
