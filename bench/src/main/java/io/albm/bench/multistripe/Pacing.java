// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.multistripe;

import io.albm.bench.lab.Lab;
import io.albm.checkpoint.coordinator.StoragePacer;
import io.albm.checkpoint.coordinator.StoragePacer.Demand;
import io.albm.checkpoint.coordinator.WireStoragePorts;
import io.albm.checkpoint.strategy.Bandwidth;
import io.albm.checkpoint.strategy.Network;
import io.albm.checkpoint.strategy.RateControl;
import io.albm.checkpoint.strategy.TcpSegments;
import io.albm.core.cluster.Subscription;
import io.albm.core.cluster.View;
import io.albm.core.node.Member;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.time.MonotonicClock;
import io.albm.storage.StripedStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The coordinator's pacer on a host of its own. It begins before other traffic does, as that of a cluster has known its paths for long. Of
 * schemes that are not paced it does nothing.
 */
final class Pacing implements AutoCloseable {
    /** As a coordinator ticks. */
    private static final int TURN_MILLIS = 50;

    private static final long TURNS_IN_A_STEP = RateControl.STEP.toMillis() / TURN_MILLIS;

    private static final AtomicLong EPOCHS = new AtomicLong();

    private final Lab lab;
    private final WireStoragePorts ports;
    private final ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("lab-coordinator").daemon().factory());
    private final StoragePacer pacer;
    private final long epoch = EPOCHS.incrementAndGet();
    private final boolean isPaced;
    private TcpSegments sent = TcpSegments.NONE;
    private long turns;

    private Pacing(Lab lab, Scene scene, StorageHosts hosts, Scheme scheme) {
        this.lab = lab;
        this.ports =
                new WireStoragePorts(new Constant(members(hosts)), hosts.coordinator(scene), MonotonicClock.system());
        this.pacer = new StoragePacer(scene.pace(scheme.politeness()), ports, loop, System.nanoTime());
        this.isPaced = scheme.isPaced();
    }

    static Pacing start(Lab lab, Scene scene, StorageHosts hosts, Scheme scheme) throws InterruptedException {
        Pacing pacing = new Pacing(lab, scene, hosts, scheme);
        if (pacing.isPaced) {
            var _ = pacing.loop.scheduleAtFixedRate(pacing::turn, 0, TURN_MILLIS, TimeUnit.MILLISECONDS);
            Thread.sleep(RateControl.STEP.multipliedBy(2));
        }
        return pacing;
    }

    /** Hosts' counts are looked at as often as the pacer does: to read them at each turn took 8 % of two processors. */
    private void turn() {
        if (turns++ % TURNS_IN_A_STEP == 0) {
            sent = segments();
        }
        pacer.turn(Demand.PACE, Map.of("lab", sent), epoch, System.nanoTime());
    }

    private TcpSegments segments() {
        try {
            return lab.segments();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As of the last turn. */
    Network network(Bandwidth bandwidth) {
        return isPaced
                ? CompletableFuture.supplyAsync(() -> pacer.network(bandwidth), loop)
                        .join()
                : Network.unmeasured(bandwidth);
    }

    private static Map<NodeId, Member> members(StorageHosts hosts) {
        Map<NodeId, Member> members = new HashMap<>();
        hosts.addresses()
                .forEach((node, address) -> members.put(
                        node,
                        new Member(
                                node,
                                Role.STORAGE_NODE,
                                Map.of(StripedStore.ENDPOINT, address),
                                Map.of(),
                                "lab",
                                Instant.EPOCH)));
        return members;
    }

    @Override
    public void close() {
        loop.shutdownNow();
        ports.close();
    }

    /** Nobody joins or leaves. */
    private record Constant(Map<NodeId, Member> members) implements View<Map<NodeId, Member>> {
        @Override
        public Map<NodeId, Member> get() {
            return members;
        }

        @Override
        public CompletableFuture<Map<NodeId, Member>> loaded() {
            return CompletableFuture.completedFuture(members);
        }

        @Override
        public Subscription onChange(Consumer<? super Map<NodeId, Member>> listener) {
            listener.accept(members);
            return () -> {};
        }
    }
}
