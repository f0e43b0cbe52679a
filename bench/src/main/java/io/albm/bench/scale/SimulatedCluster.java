// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.scale;

import io.albm.checkpoint.coordinator.StoragePacer;
import io.albm.checkpoint.coordinator.StoragePacer.Demand;
import io.albm.checkpoint.protocol.Answer;
import io.albm.checkpoint.protocol.Command;
import io.albm.checkpoint.protocol.Committed;
import io.albm.checkpoint.protocol.Interval;
import io.albm.checkpoint.protocol.JobCoordinator;
import io.albm.checkpoint.protocol.JobEvent;
import io.albm.checkpoint.protocol.JobSpec;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.checkpoint.protocol.Phase;
import io.albm.checkpoint.strategy.Bandwidth;
import io.albm.checkpoint.strategy.CheckpointStrategies;
import io.albm.checkpoint.strategy.CheckpointStrategy;
import io.albm.checkpoint.strategy.PaceSettings;
import io.albm.core.cluster.Leadership;
import io.albm.core.cluster.Operation;
import io.albm.core.json.Json;
import io.albm.core.node.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One job with a rank on each node, its supervisor and its coordinator. What the coordinator does counts as its cost: the state
 * machine, the pacer, messages to and from JSON as on the wire, records and manifests, and what it makes of listings. What does not: the
 * wire itself and the clients of ZooKeeper and of the striped store, of whose use the bytes and requests are counted.
 */
final class SimulatedCluster {
    private static final Duration TICK = Duration.ofMillis(50);
    private static final Duration HALF_A_ROUND_TRIP = Duration.ofMillis(1);
    private static final double RATE_SHARE = 0.9;
    private static final long EPOCH = 1;
    private static final int KEEP = 2;
    private static final long LONG = Duration.ofDays(10).toMillis();

    private final VirtualTime time = new VirtualTime();
    private final CoordinatorCost cost = new CoordinatorCost(time);
    private final SimulatedRecords records = new SimulatedRecords(time, cost);
    private final SimulatedFiles files = new SimulatedFiles(time, cost);
    private final Job job;
    private final SimulatedRanks ranks;
    private final StoragePacer pacer;
    private final CheckpointStrategy strategy;
    private final JobCoordinator coordinator;
    private long commandBytes;
    private long answerBytes;
    private long ticks;
    private Optional<Committed> committed = Optional.empty();

    SimulatedCluster(Job job) {
        this.job = job;
        JobSpec spec = new JobSpec(
                "scale", job.ranks(), new Interval.Fixed(LONG), 0, LONG, LONG, job.scheme(), job.groupSize(), KEEP, 0);
        JobStore store = new JobStore(records, spec.name());
        SimulatedLinks links = new SimulatedLinks(time, cost, job.links());
        this.ranks = new SimulatedRanks(time, links, files, store.paths(), job.ranks(), job.stateBytes());
        double port = job.links().bytesPerSecond();
        this.pacer = new StoragePacer(
                new PaceSettings(port, port, RATE_SHARE, job.politeness()), links, cost, time.nanoTime());
        this.strategy = CheckpointStrategies.create(spec.strategy(), spec.groupSize());
        String epoch = Leadership.epochPath(Role.COORDINATOR);
        await(records.commit(
                List.of(new Operation.Create(epoch, new byte[0], false), new Operation.Set(epoch, new byte[0], 0))));
        await(store.create(spec));
        this.coordinator = new JobCoordinator(
                spec, EPOCH, strategy, store, files, this::tell, time, () -> Instant.EPOCH, cost, this::heard);
        tick();
    }

    /** A whole checkpoint, from the request until old ones are collected. */
    CheckpointCost checkpoint() {
        committed = Optional.empty();
        time.runUntil(() -> coordinator.phase() instanceof Phase.Idle);
        Meters begin = meters();
        cost.run(coordinator::trigger);
        time.runUntil(() -> committed.isPresent() && coordinator.phase() instanceof Phase.Idle);
        return meters().since(begin, committed.orElseThrow());
    }

    private <T> void await(CompletableFuture<T> done) {
        time.runUntil(done::isDone);
        done.join();
    }

    private void tick() {
        cost.run(() -> {
            ticks++;
            pacer.turn(demand(), Map.of(), EPOCH, time.nanoTime());
            coordinator.tick(pacer.network(
                    new Bandwidth(job.links().bytesPerSecond(), job.links().left())));
        });
        time.after(TICK, this::tick);
    }

    private Demand demand() {
        if (!coordinator.phase().isInFlight()) {
            return Demand.NONE;
        }
        return strategy.isPaced() ? Demand.PACE : Demand.WATCH;
    }

    private CompletableFuture<Answer> tell(Command command) {
        byte[] request = Json.bytes(command);
        commandBytes += request.length;
        CompletableFuture<Answer> answered = new CompletableFuture<>();
        time.after(HALF_A_ROUND_TRIP, () -> {
            byte[] reply = Json.bytes(ranks.protocol().on(Json.read(request, Command.class), time.nanoTime()));
            answerBytes += reply.length;
            time.after(HALF_A_ROUND_TRIP, () -> cost.run(() -> answered.complete(Json.read(reply, Answer.class))));
        });
        return answered;
    }

    private void heard(JobEvent event) {
        switch (event) {
            case JobEvent.CheckpointCommitted(Committed entry) -> committed = Optional.of(entry);
            case JobEvent.CheckpointAborted aborted -> throw new IllegalStateException(aborted.toString());
            case JobEvent.NothingRetired kept -> throw new IllegalStateException(kept.toString());
            case JobEvent.ExplanationLost lost -> throw new IllegalStateException(lost.toString());
            case JobEvent.CheckpointBegun _ -> {}
            case JobEvent.CheckpointResumed _ -> {}
            case JobEvent.CheckpointSaved _ -> {}
            case JobEvent.CheckpointExplained _ -> {}
        }
    }

    private Meters meters() {
        return new Meters(
                cost.cpuNanos(),
                cost.allocatedBytes(),
                commandBytes,
                answerBytes,
                records.writtenBytes(),
                files.writtenBytes(),
                files.requests(),
                ticks);
    }

    /** The most that one transaction wrote. */
    int largestTransactionBytes() {
        return records.largestBytes();
    }

    private record Meters(
            long cpuNanos,
            long allocatedBytes,
            long commandBytes,
            long answerBytes,
            long recordBytes,
            long manifestBytes,
            long fileRequests,
            long ticks) {
        CheckpointCost since(Meters begin, Committed entry) {
            return new CheckpointCost(
                    cpuNanos - begin.cpuNanos,
                    allocatedBytes - begin.allocatedBytes,
                    commandBytes - begin.commandBytes,
                    answerBytes - begin.answerBytes,
                    recordBytes - begin.recordBytes,
                    manifestBytes - begin.manifestBytes,
                    fileRequests - begin.fileRequests,
                    ticks - begin.ticks,
                    entry);
        }
    }
}
