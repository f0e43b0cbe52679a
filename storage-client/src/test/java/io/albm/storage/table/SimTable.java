// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.cluster.CoordinationException;
import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Leadership;
import io.albm.core.cluster.Operation;
import io.albm.core.json.Json;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.sim.SimDirectory;
import io.albm.core.sim.SimNode;
import io.albm.core.sim.Simulation;
import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The table's leaders in a simulated world: processes that crash and pause, a network that loses, an election. */
public final class SimTable {
    public static final Duration SESSION = Duration.ofSeconds(2);
    public static final Duration LEASE = Duration.ofSeconds(1);
    static final long MAX_INODES = 100_000;
    static final Duration LONGEST_STOP = Duration.ofSeconds(4);
    private static final Duration CLIENT_DEADLINE = Duration.ofSeconds(20);
    private static final String LATCH = "/leaders/storage-node/latch";
    private static final int SLOWEST_COMMIT_MILLIS = 200;
    private static final long SMALL_LOG = 4 * 1024;
    /** Few, so that leases come both with and without names. */
    private static final int LEASE_NAMES = 4;

    private final Simulation simulation;
    private final SimDirectory directory;
    private final Duration lease;
    private final Map<NodeId, Candidate> candidates = new LinkedHashMap<>();
    private final Set<SimNode> cutOff = new HashSet<>();
    private double loss;
    private Duration stall = Duration.ZERO;
    private int names;

    /** @param lease longer than a session lasts if clocks are not to be relied upon */
    SimTable(Simulation simulation, SimDirectory directory, int nodes, Duration lease) {
        this(
                simulation,
                directory,
                IntStream.rangeClosed(1, nodes)
                        .mapToObj(number -> new SimNode(simulation, "n-" + number))
                        .toList(),
                lease);
    }

    /**
     * Leaders in processes that have other things to do, too.
     *
     * @param lease longer than a session lasts if clocks are not to be relied upon
     */
    public SimTable(Simulation simulation, SimDirectory directory, List<SimNode> processes, Duration lease) {
        this.simulation = simulation;
        this.directory = directory;
        this.lease = lease;
        directory.apply(List.of(new Operation.Create(Leadership.epochPath(Role.STORAGE_NODE), new byte[0], false)));
        processes.forEach(process -> candidates.put(new NodeId(process.name()), new Candidate(process)));
    }

    /** How likely a message does not arrive. */
    public void lose(double probability) {
        loss = probability;
    }

    /** The next commit of a leader takes so long, and what comes after it waits. */
    void stall(Duration time) {
        stall = time;
    }

    private Duration commitTime() {
        Duration stalled = stall;
        stall = Duration.ZERO;
        return stalled.isZero() ? between(0, SLOWEST_COMMIT_MILLIS) : stalled;
    }

    /** Nothing that a process sends arrives from now on, but at ZooKeeper. */
    void cutOff(SimNode process) {
        cutOff.add(process);
    }

    void connect(SimNode process) {
        cutOff.remove(process);
    }

    /** Kills the process that leads; it comes back. */
    void killLeader() {
        candidates.values().stream().filter(Candidate::leads).forEach(candidate -> {
            candidate.process.crash();
            simulation.schedule(between(100, 3000), "restart " + candidate.id, () -> restart(candidate.process));
        });
    }

    /** Whether a process leads that is there. */
    boolean isLed() {
        return candidates.values().stream().anyMatch(Candidate::leads);
    }

    /** Kills a process, or stops it for longer or shorter than its session lasts; it comes back. */
    void disturb(NodeId id) {
        disturb(id, LONGEST_STOP);
    }

    /** @param longestStop for how long it may be stopped */
    void disturb(NodeId id, Duration longestStop) {
        SimNode process = candidate(id).process;
        if (!process.isResponsive()) {
            return;
        }
        if (simulation.chance(0.5)) {
            process.crash();
            simulation.schedule(between(100, 3000), "restart " + id, () -> restart(process));
        } else {
            process.pause();
            simulation.schedule(between(100, (int) longestStop.toMillis()), "continue " + id, () -> {
                process.resume();
                // A process whose session is over needs a new one; until then it does not know.
                simulation.schedule(between(0, 500), "renew " + id, () -> {
                    process.crash();
                    restart(process);
                });
            });
        }
    }

    NodeId anyNode() {
        return nodes().get(simulation.random().nextInt(candidates.size()));
    }

    /** Disturbs nodes for a time, the next one when what the last one held is elsewhere again. */
    void disturbOneByOne(Duration time) {
        simulation.schedule(simulation.between(Duration.ofSeconds(1), Duration.ofSeconds(2)), "disturb", () -> {
            if (simulation.clock().nanoTime() >= time.toNanos()) {
                return;
            }
            if (isWhole()) {
                disturb(anyNode());
                disturbWhenWhole(time);
            } else {
                disturbOneByOne(time);
            }
        });
    }

    private void disturbWhenWhole(Duration time) {
        simulation.schedule(Duration.ofMillis(100), "whole?", () -> {
            if (isWhole()) {
                disturbOneByOne(time);
            } else {
                disturbWhenWhole(time);
            }
        });
    }

    /** Takes the power from all nodes at once. */
    void loseAll() {
        candidates.values().forEach(candidate -> {
            if (candidate.process.isUp()) {
                candidate.process.crash();
                simulation.schedule(between(100, 3000), "restart " + candidate.id, () -> restart(candidate.process));
            }
        });
    }

    private static void restart(SimNode process) {
        if (!process.isUp()) {
            process.restart();
        }
    }

    /** Whether all nodes are there, and one of them leads. */
    public boolean isWhole() {
        return leading() == 1
                && candidates.values().stream().allMatch(candidate -> candidate.process.isResponsive())
                && directory.peekChildren(TablePaths.MEMBERS).size() == candidates.size();
    }

    /** Whether a process is known to be there. */
    public boolean isMember(SimNode process) {
        return directory.peek(TablePaths.MEMBERS + "/" + process.name()).isPresent();
    }

    List<NodeId> nodes() {
        return List.copyOf(candidates.keySet());
    }

    long leading() {
        return candidates.values().stream()
                .filter(candidate -> candidate.leader.status().leading())
                .count();
    }

    public boolean troubled() {
        return candidates.values().stream().anyMatch(candidate -> candidate.trouble != null);
    }

    RemoteFileTable client(SimNode process) {
        return client(process, directory.connect(process));
    }

    /** The table as a process sees it. */
    public RemoteFileTable client(SimNode process, CoordinationStore session) {
        return new RemoteFileTable(
                session,
                (node, call, deadline) -> call(process, node, call, deadline),
                delay(process),
                simulation.clock(),
                () -> "c-" + names++,
                CLIENT_DEADLINE);
    }

    LeasedFileTable leasedClient(SimNode process) {
        return new LeasedFileTable(
                client(process),
                delay(process),
                simulation.clock(),
                () -> Instant.EPOCH.plusNanos(simulation.clock().nanoTime()));
    }

    private static Delay delay(SimNode process) {
        return (delay, task) -> process.after(delay, "delay", task);
    }

    /** A call there and a reply back, as bytes. */
    private CompletableFuture<TableReply> call(SimNode from, NodeId to, TableCall call, Duration deadline) {
        byte[] sent = Json.bytes(call);
        return send(from, to, deadline, candidate -> candidate.leader.submit(Json.read(sent, TableCall.class)))
                .thenApply(reply -> Json.read(Json.bytes(reply), TableReply.class));
    }

    /** A message there and one back, either of which may be lost. */
    private <T> CompletableFuture<T> send(
            SimNode from, NodeId to, Duration deadline, Function<Candidate, CompletableFuture<T>> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        int caller = from.incarnation();
        from.after(
                deadline,
                "deadline",
                () -> result.completeExceptionally(new WireException(WireCode.DEADLINE_EXCEEDED, "no answer")));
        if (!simulation.chance(loss) && !cutOff.contains(from)) {
            candidate(to)
                    .process
                    .after(
                            between(1, 5),
                            "call",
                            () -> work.apply(candidate(to)).whenComplete((reply, failure) -> {
                                if (from.incarnation() == caller) {
                                    answer(from, result, reply, failure);
                                }
                            }));
        }
        return result;
    }

    private <T> void answer(SimNode to, CompletableFuture<T> result, @Nullable T reply, @Nullable Throwable failure) {
        if (simulation.chance(loss)) {
            return;
        }
        to.after(between(1, 5), "answer", () -> {
            if (failure == null) {
                result.complete(reply);
            } else {
                result.completeExceptionally(FencedStore.cause(failure));
            }
        });
    }

    /** The way of a process to the tails of the others. */
    private record Link(SimTable table, SimNode from) implements TailLink {
        @Override
        public Set<NodeId> nodes() {
            return table.directory.peekChildren(TablePaths.MEMBERS).stream()
                    .map(NodeId::new)
                    .collect(Collectors.toSet());
        }

        @Override
        public CompletableFuture<Held> append(NodeId node, TailAppend append, Duration deadline) {
            return table.send(from, node, deadline, candidate -> result(() -> candidate.tail.append(append)));
        }

        @Override
        public CompletableFuture<Tail> collect(NodeId node, long epoch, Duration deadline) {
            return table.send(from, node, deadline, candidate -> result(() -> candidate.tail.collect(epoch)));
        }

        private static <T> CompletableFuture<T> result(Supplier<T> work) {
            try {
                return CompletableFuture.completedFuture(work.get());
            } catch (WireException refused) {
                return CompletableFuture.failedFuture(refused);
            }
        }
    }

    private Candidate candidate(NodeId id) {
        Candidate found = candidates.get(id);
        if (found == null) {
            throw new IllegalArgumentException("no node " + id);
        }
        return found;
    }

    private Duration between(int leastMillis, int mostMillis) {
        return simulation.between(Duration.ofMillis(leastMillis), Duration.ofMillis(mostMillis));
    }

    /** A process that stands for election, as LatchElection does it. */
    private final class Candidate {
        private final NodeId id;
        private final SimNode process;
        private int incarnation;
        private CoordinationStore session;
        private TableTail tail = new TableTail();
        private TableLeader leader;
        private @Nullable String trouble;
        private int attempts;

        Candidate(SimNode process) {
            this.id = new NodeId(process.name());
            this.process = process;
            this.incarnation = process.incarnation();
            this.session = directory.connect(process);
            this.leader = leader();
            process.onChange(this::beginAgain);
            begin();
        }

        private boolean leads() {
            return process.isUp() && leader.status().leading();
        }

        private void begin() {
            TailOpening.open(tail, session, delay(process), () -> false);
            join();
            stand();
        }

        private void join() {
            session.commit(List.of(new Operation.Create(TablePaths.MEMBERS + "/" + id, new byte[0], true)))
                    .whenComplete((nothing, failure) -> {
                        if (failure != null) {
                            process.after(between(10, 50), "join", this::join);
                        }
                    });
        }

        private void beginAgain() {
            if (process.incarnation() != incarnation) {
                incarnation = process.incarnation();
                session = directory.connect(process);
                tail = new TableTail();
                leader = leader();
                begin();
            }
        }

        private TableLeader leader() {
            return new TableLeader(
                    new TableSite(
                            id,
                            new SlowStore(session, process, SimTable.this::commitTime),
                            process,
                            delay(process),
                            simulation.clock(),
                            () -> Instant.EPOCH.plusNanos(simulation.clock().nanoTime()),
                            new TableBounds(MAX_INODES, Segments.MOST_INLINE_BYTES),
                            SMALL_LOG,
                            LEASE_NAMES,
                            lease,
                            new Tails(tail, new Link(SimTable.this, process), 1)),
                    status -> {
                        if (status.trouble() != null) {
                            trouble = status.trouble();
                        }
                    });
        }

        private void stand() {
            step().whenComplete((done, failure) -> process.after(between(50, 200), "election", this::stand));
        }

        private CompletableFuture<?> step() {
            String mine = id + "/" + process.incarnation() + "/";
            return session.read(LATCH).thenCompose(found -> {
                if (found.isEmpty()) {
                    byte[] holder = (mine + attempts++).getBytes(StandardCharsets.UTF_8);
                    return session.commit(List.of(
                                    new Operation.Create(LATCH, holder, true),
                                    new Operation.Set(Leadership.epochPath(Role.STORAGE_NODE), holder, Operation.ANY)))
                            .exceptionally(SimTable::tryAgain);
                }
                if (!new String(found.get().data(), StandardCharsets.UTF_8).startsWith(mine)) {
                    leader.lead(new Leadership.Follower());
                    return CompletableFuture.completedFuture(null);
                }
                return session.read(Leadership.epochPath(Role.STORAGE_NODE))
                        .thenAccept(epoch -> leader.lead(
                                new Leadership.Leader(epoch.orElseThrow().version())));
            });
        }
    }

    private static @Nullable Void tryAgain(Throwable failure) {
        if (!(FencedStore.cause(failure) instanceof CoordinationException)) {
            throw new IllegalStateException(failure);
        }
        return null;
    }
}
