// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.coordinator;

import io.albm.checkpoint.control.StripedCheckpointFiles;
import io.albm.checkpoint.protocol.JobPaths;
import io.albm.checkpoint.strategy.BandwidthMeter;
import io.albm.checkpoint.strategy.Network;
import io.albm.checkpoint.strategy.PaceSettings;
import io.albm.checkpoint.strategy.TcpSegments;
import io.albm.core.cluster.Election;
import io.albm.core.cluster.Leadership;
import io.albm.core.cluster.Subscription;
import io.albm.core.node.Member;
import io.albm.core.node.Role;
import io.albm.core.role.RoleContext;
import io.albm.core.role.RoleService;
import io.albm.core.wire.FrameClient;
import io.albm.core.wire.FrameServer;
import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import io.albm.storage.StripeSettings;
import io.albm.storage.table.ClusterStorage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leads the checkpoints of all jobs while this process is elected. One thread, the loop, turns every job's protocol;
 * nothing on it blocks. Several coordinators may run: those that are not elected wait.
 */
public final class CoordinatorService implements RoleService {
    private static final Logger log = LoggerFactory.getLogger(CoordinatorService.class);
    private static final Duration TICK = Duration.ofMillis(50);
    private static final Duration LOOK_AROUND = Duration.ofSeconds(2);
    private static final Duration SAMPLE = Duration.ofSeconds(1);
    private static final String CONTROL = "control";

    private final RoleContext context;
    private final BandwidthMeter meter;
    private final int port;
    private final CoordinatorMetrics metrics;
    private final FrameClient client;
    private final StripedCheckpointFiles files;
    private final StoragePacer pacer;
    private final ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("coordinator-loop").daemon().factory());
    private final Executor loop = this::onLoop;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final Map<String, LedJob> jobs = new HashMap<>();
    private Leadership leadership = new Leadership.Follower();
    private long lastLook;
    private long lastSample;

    /**
     * @param meter of the way to the storage; sampled by this service's loop only
     * @param settings what the network can carry, and how much of it checkpoints may have
     */
    public CoordinatorService(RoleContext context, BandwidthMeter meter, PaceSettings settings, int port) {
        this.context = context;
        this.meter = meter;
        this.port = port;
        this.metrics = new CoordinatorMetrics(context.metrics());
        this.client = opened(new FrameClient(context.transport()));
        this.files = new StripedCheckpointFiles(
                ClusterStorage.open(context.cluster(), client, StripeSettings.DEFAULT, context.health()),
                context.transport().blocking());
        WireStoragePorts ports = opened(new WireStoragePorts(
                context.cluster().members(Role.STORAGE_NODE), context.transport(), context.clock()));
        this.pacer = new StoragePacer(settings, ports, loop, context.clock().nanoTime());
    }

    @Override
    public Member start() {
        FrameServer server = opened(FrameServer.bind(context.transport(), context.bind(port), (frame, peer) -> {
                    frame.release();
                    throw new WireException(
                            WireCode.UNKNOWN_TYPE, "a coordinator calls supervisors; it answers pings only");
                })
                .join());
        Election election = opened(context.cluster().elect(Role.COORDINATOR, context.id()));
        Subscription elected = opened(election.leadership().onChange(now -> loop.execute(() -> lead(now))));
        Subscription jobsChanged =
                opened(context.cluster().store().watch(JobPaths.JOBS, () -> loop.execute(() -> lastLook = 0)));
        log.debug("watches {} and {}", elected, jobsChanged);
        timer.scheduleAtFixedRate(this::turn, 0, TICK.toMillis(), TimeUnit.MILLISECONDS);
        return context.member(Map.of(CONTROL, server.address()), Map.of());
    }

    @Override
    public void drain(Duration bound) {
        // A checkpoint in flight is the next leader's to finish; waiting here would only delay it.
        loop.execute(() -> lead(new Leadership.Follower()));
    }

    @Override
    public void close() {
        timer.shutdownNow();
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                log.warn("closing the coordinator: {}", e.getMessage());
            }
        }
    }

    private void lead(Leadership now) {
        if (now.equals(leadership)) {
            return;
        }
        leadership = now;
        jobs.values().forEach(LedJob::close);
        jobs.clear();
        pacer.stop();
        lastLook = 0;
        switch (now) {
            case Leadership.Follower follower -> log.info("another coordinator leads, or none");
            case Leadership.Leader leader -> log.info("leads all checkpoints, epoch {}", leader.epoch());
        }
        metrics.leading(now instanceof Leadership.Leader);
    }

    private void turn() {
        guarded(() -> {
            if (leadership instanceof Leadership.Leader leader) {
                lead(leader, context.clock().nanoTime());
            }
        });
    }

    private void onLoop(Runnable action) {
        if (!timer.isShutdown()) {
            timer.execute(() -> guarded(action));
        }
    }

    /** One job's bug must neither stop the others nor be silent. */
    private static void guarded(Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            log.error("the coordinator's loop failed and goes on", e);
        }
    }

    private void lead(Leadership.Leader leader, long now) {
        if (lastLook == 0 || now - lastLook > LOOK_AROUND.toNanos()) {
            lastLook = now;
            lookForJobs(leader);
        }
        if (now - lastSample > SAMPLE.toNanos() && jobs.values().stream().noneMatch(LedJob::isWriting)) {
            lastSample = now;
            meter.sample(now);
        }
        pacer.turn(demand(), senders(), leader.epoch(), now);
        Network network = pacer.network(meter.bandwidth());
        jobs.values().forEach(job -> job.tick(network));
        metrics.jobs(jobs.size());
        metrics.network(network);
    }

    /** The most that a job wants: rates are those of the I/O nodes, and hold for all jobs. */
    private StoragePacer.Demand demand() {
        return jobs.values().stream()
                .map(LedJob::demand)
                .max(Comparator.naturalOrder())
                .orElse(StoragePacer.Demand.NONE);
    }

    private Map<String, TcpSegments> senders() {
        return jobs.values().stream()
                .filter(job -> job.demand() != StoragePacer.Demand.NONE)
                .collect(Collectors.toMap(LedJob::name, LedJob::segments));
    }

    private void lookForJobs(Leadership.Leader leader) {
        var _ = context.cluster()
                .store()
                .children(JobPaths.JOBS)
                .thenAccept(names -> loop.execute(() -> {
                    if (leader.equals(leadership)) {
                        adopt(names, leader.epoch());
                    }
                }));
    }

    private void adopt(List<String> names, long epoch) {
        Set<String> gone = new HashSet<>(jobs.keySet());
        names.forEach(gone::remove);
        gone.forEach(this::drop);
        names.forEach(
                name -> jobs.computeIfAbsent(name, job -> new LedJob(job, epoch, context, client, files, loop, metrics))
                        .lookAround());
    }

    private void drop(String job) {
        LedJob dropped = jobs.remove(job);
        if (dropped != null) {
            dropped.close();
        }
    }

    private <T extends AutoCloseable> T opened(T resource) {
        opened.push(resource);
        return resource;
    }
}
