// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.json.Json;
import io.albm.core.json.JsonException;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.Role;
import io.albm.core.topology.Topology;
import io.albm.core.topology.TopologyException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The distributors of a running cluster and what they serve. A change is checked here first, with what the distributors
 * were started with under it; then it is written, and every distributor is asked until it says what came of it.
 */
final class Distributors {
    private static final Duration ANSWER_BOUND = Duration.ofSeconds(2);

    /** What a distributor without options serves, in case none runs that could say. */
    private static final Map<String, String> DEFAULTS = Map.of(
            "frontend.main.bind", "127.0.0.1:8080",
            "frontend.main.pool", "main",
            "pool.main.members", Role.CACHE_SERVER.id());

    private final LiveCluster cluster;

    Distributors(LiveCluster cluster) {
        this.cluster = cluster;
    }

    /** What each that can be asked says that it serves, by id; null for one that does not answer. */
    SortedMap<String, @Nullable JsonNode> served() {
        SortedMap<String, @Nullable JsonNode> served = new TreeMap<>();
        cluster.members(Role.DISTRIBUTOR)
                .forEach((id, member) -> member.endpoint(Member.ADMIN)
                        .ifPresent(admin -> served.put(id.value(), get(admin, "/frontends"))));
        return served;
    }

    private static @Nullable JsonNode get(NodeAddress admin, String path) {
        try {
            AdminProbe answer = AdminProbe.get(admin, path, ANSWER_BOUND);
            return answer.status() == 200 ? Json.tree(answer.body()) : null;
        } catch (IOException | JsonException e) {
            return null;
        }
    }

    /**
     * Names of frontends, pools or routes, by the live settings over those of the start.
     *
     * @param kind what their keys begin with, such as {@code frontend}
     */
    SortedSet<String> names(String kind) {
        Map<String, String> keys = new TreeMap<>(start());
        keys.putAll(cluster.settings(LiveCluster.DISTRIBUTOR));
        return keys.keySet().stream()
                .filter(key -> key.startsWith(kind + "."))
                .map(key -> key.split("\\.", 3)[1])
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Ids of all backends that any of them knows. */
    List<String> backends() {
        SortedSet<String> ids = new TreeSet<>();
        served().values().stream()
                .filter(Objects::nonNull)
                .flatMap(served -> served.findValues("ids").stream())
                .forEach(list -> list.forEach(id -> ids.add(id.asText())));
        return List.copyOf(ids);
    }

    /**
     * Changes the live settings and waits for what comes of it.
     *
     * @throws CliException if the settings make no topology, in which case nothing is written, or a distributor refuses them
     */
    void change(UnaryOperator<Map<String, String>> change) {
        Map<String, String> start = start();
        AtomicReference<Map<String, String>> written = new AtomicReference<>(Map.of());
        cluster.change(LiveCluster.DISTRIBUTOR, before -> {
            Map<String, String> after = change.apply(before);
            check(start, after);
            written.set(after);
            return after;
        });
        new Verdicts(this::served, "albm topology show").await(Objects.requireNonNull(written.get()));
    }

    private Map<String, String> start() {
        Map<String, String> start = new TreeMap<>();
        served().values().stream()
                .filter(Objects::nonNull)
                .findFirst()
                .ifPresent(served -> served.path("start")
                        .properties()
                        .forEach(setting ->
                                start.put(setting.getKey(), setting.getValue().asText())));
        return start.isEmpty() ? DEFAULTS : start;
    }

    /**
     * Checks settings as live ones over the defaults, or else as the whole of a file that a distributor is started with.
     *
     * @throws CliException with every mistake
     */
    static Topology check(Map<String, String> settings) {
        try {
            return check(DEFAULTS, settings);
        } catch (CliException overDefaults) {
            try {
                return check(Map.of(), settings);
            } catch (CliException alone) {
                overDefaults.addSuppressed(alone);
                throw overDefaults;
            }
        }
    }

    private static Topology check(Map<String, String> start, Map<String, String> settings) {
        Map<String, String> laidOver = new TreeMap<>(start);
        settings.forEach((key, value) -> {
            if (Topology.owns(key)) {
                laidOver.put(key, value);
            }
        });
        laidOver.values().removeIf(String::isBlank);
        try {
            return Topology.parse(laidOver);
        } catch (TopologyException e) {
            throw new CliException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
        }
    }
}
