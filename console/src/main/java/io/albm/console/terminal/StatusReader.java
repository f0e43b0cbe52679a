// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.cluster.Cluster;
import io.albm.core.cluster.ConnectionState;
import io.albm.core.cluster.View;
import io.albm.core.json.Json;
import io.albm.core.json.JsonException;
import io.albm.core.local.ClusterFile;
import io.albm.core.local.ClusterProcess;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the state of a cluster from three sources: the members and counters that ZooKeeper holds, what each member says
 * on its admin port, and the record of what was started on this machine. The record is what makes a killed process
 * visible: ZooKeeper only forgets it.
 *
 * <p>For one thread. Asks the members in parallel, each within a bound.
 */
public final class StatusReader {
    private static final Duration ANSWER_BOUND = Duration.ofSeconds(2);
    private static final Duration LOAD_BOUND = Duration.ofSeconds(5);

    private final Cluster cluster;
    private final String zooKeeper;

    public StatusReader(Cluster cluster, String zooKeeper) {
        this.cluster = cluster;
        this.zooKeeper = zooKeeper;
    }

    /** Everything that can be known now. */
    public ClusterStatus read(Optional<ClusterFile> record) {
        boolean reachable = awaitViews();
        Map<Key, Known> known = known(record);
        List<ProcessStatus> processes = ask(List.copyOf(known.values()));
        return ClusterStatus.of(
                cluster.name(),
                zooKeeper,
                reachable,
                processes,
                List.copyOf(cluster.counters().get().values()),
                routing(processes).orElse(null));
    }

    /** A process that somebody knows of: ZooKeeper, the record of this machine, or both. */
    private record Known(
            Role role,
            String id,
            @Nullable Member member,
            @Nullable ClusterProcess started) {
        Map<String, NodeAddress> endpoints() {
            if (member != null) {
                return member.endpoints();
            }
            return started == null ? Map.of() : started.endpoints();
        }

        long pid() {
            if (started != null) {
                return started.pid();
            }
            return member == null
                    ? 0
                    : member.attribute("pid").map(Long::valueOf).orElse(0L);
        }
    }

    private boolean awaitViews() {
        List<CompletableFuture<?>> loaded = new ArrayList<>();
        loaded.add(cluster.counters().loaded());
        Arrays.stream(Role.values()).map(cluster::members).map(View::loaded).forEach(loaded::add);
        try {
            CompletableFuture.allOf(loaded.toArray(CompletableFuture<?>[]::new))
                    .get(LOAD_BOUND.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
        return cluster.connection().get() == ConnectionState.CONNECTED;
    }

    private Map<Key, Known> known(Optional<ClusterFile> record) {
        Map<Key, Known> known = new TreeMap<>();
        for (Role role : Role.values()) {
            for (Map.Entry<NodeId, Member> entry : cluster.members(role).get().entrySet()) {
                String id = entry.getKey().value();
                known.put(new Key(role, id), new Known(role, id, entry.getValue(), null));
            }
        }
        record.map(ClusterFile::processes)
                .orElse(List.of())
                .forEach(process -> known.merge(
                        new Key(process.role(), process.id()),
                        new Known(process.role(), process.id(), null, process),
                        (member, started) ->
                                new Known(member.role(), member.id(), member.member(), started.started())));
        return known;
    }

    /** In the order of roles; {@code cache-10} comes after {@code cache-9}. */
    private record Key(Role role, String id) implements Comparable<Key> {
        private static final Comparator<Key> ORDER = Comparator.comparing(Key::role)
                .thenComparing(key -> key.id().replaceFirst("\\d+$", ""))
                .thenComparingInt(key -> key.id().length())
                .thenComparing(Key::id);

        @Override
        public int compareTo(Key other) {
            return ORDER.compare(this, other);
        }
    }

    private static List<ProcessStatus> ask(List<Known> known) {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<CompletableFuture<ProcessStatus>> answers = known.stream()
                    .map(process -> CompletableFuture.supplyAsync(() -> ask(process), threads))
                    .toList();
            return answers.stream().map(CompletableFuture::join).toList();
        }
    }

    private static ProcessStatus ask(Known process) {
        ClusterProcess started = process.started();
        if (started != null && !started.identity().isAlive()) {
            return status(process, ProcessState.GONE, List.of("does not run any more; its log is " + started.log()));
        }
        NodeAddress admin = process.endpoints().get(Member.ADMIN);
        if (admin == null) {
            return status(process, ProcessState.NOT_READY, List.of("still starting"));
        }
        try {
            return judge(process, AdminProbe.get(admin, "/health/ready", ANSWER_BOUND));
        } catch (IOException | JsonException e) {
            return status(process, ProcessState.SILENT, List.of(admin + ": " + e.getMessage()));
        }
    }

    private static ProcessStatus judge(Known process, AdminProbe answer) {
        JsonNode health = Json.tree(answer.body());
        List<String> reasons = new ArrayList<>();
        for (JsonNode reason : health.path("reasons")) {
            reasons.add(reason.path("component").asText() + ": "
                    + reason.path("message").asText());
        }
        if (!health.path("ready").asBoolean()) {
            return status(process, ProcessState.NOT_READY, reasons);
        }
        if (process.member() == null) {
            reasons.addFirst("serves, but is not a member of the cluster");
            return status(process, ProcessState.NOT_READY, reasons);
        }
        return status(process, reasons.isEmpty() ? ProcessState.UP : ProcessState.WARNING, reasons);
    }

    private static ProcessStatus status(Known process, ProcessState state, List<String> reasons) {
        return new ProcessStatus(
                process.id(), process.role(), state, process.pid(), process.endpoints(), List.copyOf(reasons));
    }

    /** What the first distributor that answers does with requests. */
    private static Optional<JsonNode> routing(List<ProcessStatus> processes) {
        return processes.stream()
                .filter(process ->
                        process.role() == Role.DISTRIBUTOR && process.state().serving())
                .flatMap(process -> Stream.ofNullable(process.endpoints().get(Member.ADMIN)))
                .flatMap(admin -> routing(admin).stream())
                .findFirst();
    }

    private static Optional<JsonNode> routing(NodeAddress admin) {
        try {
            AdminProbe answer = AdminProbe.get(admin, "/routing", ANSWER_BOUND);
            return answer.status() == 200 ? Optional.of(Json.tree(answer.body())) : Optional.empty();
        } catch (IOException | JsonException e) {
            return Optional.empty();
        }
    }
}
