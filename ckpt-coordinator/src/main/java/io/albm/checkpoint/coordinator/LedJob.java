// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.coordinator;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.albm.checkpoint.control.StripedCheckpointFiles;
import io.albm.checkpoint.control.WireSupervisorLink;
import io.albm.checkpoint.protocol.JobCoordinator;
import io.albm.checkpoint.protocol.JobEvent;
import io.albm.checkpoint.protocol.JobSpec;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.checkpoint.protocol.Phase;
import io.albm.checkpoint.protocol.SupervisorAddress;
import io.albm.checkpoint.strategy.CheckpointStrategies;
import io.albm.checkpoint.strategy.CheckpointStrategy;
import io.albm.checkpoint.strategy.Network;
import io.albm.checkpoint.strategy.TcpSegments;
import io.albm.core.cluster.Subscription;
import io.albm.core.cluster.Versioned;
import io.albm.core.json.Json;
import io.albm.core.node.NodeAddress;
import io.albm.core.role.RoleContext;
import io.albm.core.wire.FrameClient;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One job under this coordinator's lead, on the coordinator's loop. */
final class LedJob implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LedJob.class);

    private final String name;
    private final long epoch;
    private final RoleContext context;
    private final FrameClient client;
    private final StripedCheckpointFiles files;
    private final Executor loop;
    private final CoordinatorMetrics metrics;
    private final JobStore store;
    private final Subscription trigger;
    private final Subscription supervisorChanged;
    private final Subscription haltChanged;
    private volatile Optional<NodeAddress> supervisor = Optional.empty();
    private Optional<JobCoordinator> coordinator = Optional.empty();
    private StoragePacer.Demand whileInFlight = StoragePacer.Demand.WATCH;
    private boolean finished;

    LedJob(
            String name,
            long epoch,
            RoleContext context,
            FrameClient client,
            StripedCheckpointFiles files,
            Executor loop,
            CoordinatorMetrics metrics) {
        this.name = name;
        this.epoch = epoch;
        this.context = context;
        this.client = client;
        this.files = files;
        this.loop = loop;
        this.metrics = metrics;
        this.store = new JobStore(context.cluster().store(), name);
        this.trigger = context.cluster()
                .store()
                .watch(
                        store.paths().trigger(),
                        () -> loop.execute(() -> coordinator.ifPresent(JobCoordinator::trigger)));
        this.supervisorChanged =
                context.cluster().store().watch(store.paths().supervisor(), () -> loop.execute(this::look));
        this.haltChanged = context.cluster().store().watch(store.paths().halt(), () -> loop.execute(this::lookAround));
    }

    /** Looks who supervises the job, and whether there is still something to lead; a job that has finished needs nobody. */
    void lookAround() {
        if (!finished) {
            look();
        }
    }

    /** Who comes to supervise a job that has finished has another one of its name. */
    private void look() {
        var _ = context.cluster()
                .store()
                .read(store.paths().supervisor())
                .thenAccept(read -> supervisor = read.map(LedJob::address));
        var _ = store.isHalting()
                .thenAccept(halting -> loop.execute(() -> coordinator.ifPresent(leading -> leading.halt(halting))));
        var _ = store.isFinished()
                .thenCombine(store.spec(), Known::new)
                .thenAccept(known -> loop.execute(() -> know(known)));
    }

    private record Known(boolean finished, Optional<JobSpec> spec) {}

    private void know(Known known) {
        finished = known.finished();
        coordinator = coordinator.filter(leading -> known.spec().equals(Optional.of(leading.spec())));
        if (finished) {
            coordinator = Optional.empty();
        } else if (coordinator.isEmpty()) {
            coordinator = known.spec().map(this::lead);
        }
    }

    private JobCoordinator lead(JobSpec spec) {
        log.info("job {}: {} ranks, checkpoints by {}, {}", name, spec.ranks(), spec.interval(), spec.strategy());
        CheckpointStrategy strategy = CheckpointStrategies.create(spec.strategy(), spec.groupSize());
        whileInFlight = strategy.isPaced() ? StoragePacer.Demand.PACE : StoragePacer.Demand.WATCH;
        return new JobCoordinator(
                spec,
                epoch,
                strategy,
                store,
                files.fenced(name, epoch),
                new WireSupervisorLink(client, name, () -> supervisor),
                context.clock(),
                InstantSource.system(),
                loop,
                this::heard);
    }

    void tick(Network network) {
        coordinator.ifPresent(leading -> leading.tick(network));
    }

    String name() {
        return name;
    }

    /** What its checkpoint in flight wants of the way to the storage. */
    StoragePacer.Demand demand() {
        return coordinator
                .filter(leading -> leading.phase().isInFlight())
                .map(_ -> whileInFlight)
                .orElse(StoragePacer.Demand.NONE);
    }

    /** TCP segments of the host that stores its checkpoints. */
    TcpSegments segments() {
        return coordinator.map(JobCoordinator::segments).orElse(TcpSegments.NONE);
    }

    /** Its own traffic would hide what others leave of the network. */
    boolean isWriting() {
        return coordinator
                .filter(leading -> leading.phase() instanceof Phase.Drain)
                .isPresent();
    }

    private void heard(JobEvent event) {
        metrics.count(event);
        switch (event) {
            case JobEvent.CheckpointExplained explained ->
                log.info(
                        "job {}: checkpoint {}, {}; phases in ms {}",
                        name,
                        explained.record().number(),
                        explained.record().why(),
                        explained.record().phaseMillis());
            case JobEvent.ExplanationLost lost -> log.warn("job {}: {}", name, lost);
            default -> log.info("job {}: {}", name, event);
        }
    }

    private static NodeAddress address(Versioned node) {
        return Json.read(new String(node.data(), UTF_8), SupervisorAddress.class)
                .address();
    }

    @Override
    public void close() {
        trigger.close();
        supervisorChanged.close();
        haltChanged.close();
        coordinator = Optional.empty();
    }
}
