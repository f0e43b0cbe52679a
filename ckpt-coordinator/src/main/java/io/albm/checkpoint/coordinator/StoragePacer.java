// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.coordinator;

import io.albm.checkpoint.strategy.Bandwidth;
import io.albm.checkpoint.strategy.Network;
import io.albm.checkpoint.strategy.PaceSettings;
import io.albm.checkpoint.strategy.PortState;
import io.albm.checkpoint.strategy.RateControl;
import io.albm.checkpoint.strategy.TcpSegments;
import io.albm.core.node.NodeId;
import io.albm.storage.WriteRate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Measures the way to every I/O node while a checkpoint is in flight, and sets the rates at which they grant credit if its
 * scheme wants that. Rates are those of the I/O nodes, not of a job: jobs that are stored at the same time share them.
 *
 * <p>A step every {@link RateControl#STEP}, with at most one request for each node: O(1) per node. Probes go at every turn, one at a
 * time for each node, and the least round trip of a step counts (RFC 6817, CURRENT_FILTER): a queue at the port keeps all of them
 * waiting, a busy processor only some. With more than {@value #MANY} nodes they go once a step.
 *
 * <p>The rate is set from the
 * moment at which the checkpoint begins, so that it is there when the first byte comes, and taken back when it has ended. It lasts {@link #LASTS}
 * and is renewed, so a coordinator that dies leaves no node slow.
 *
 * <p>On the coordinator's loop only.
 */
public final class StoragePacer {
    private static final Logger log = LoggerFactory.getLogger(StoragePacer.class);
    static final Duration LASTS = Duration.ofSeconds(2);
    private static final Duration RENEWAL = Duration.ofSeconds(1);
    private static final int MANY = 1000;
    private static final long NONE = Long.MAX_VALUE;
    private static final WriteRate AS_FAST_AS_IT_CAN = new WriteRate(0, 1, 0, Duration.ofMillis(1));

    /** What the checkpoints in flight want. */
    public enum Demand {
        /** There are none. */
        NONE,
        /** Round trips are measured, to be explained later. */
        WATCH,
        /** Rates are set, too. */
        PACE
    }

    private final PaceSettings settings;
    private final StoragePorts wire;
    private final Executor loop;
    private final RetransmitMeter retransmits = new RetransmitMeter();
    private final Map<NodeId, Port> ports = new TreeMap<>();
    private Set<NodeId> met = Set.of();
    private Demand demand = Demand.NONE;
    private double retransmitShare;
    private long turned;
    private List<PortState> states = List.of();
    private double totalBytesPerSecond;

    /** @param now the present, in nanoseconds as in all methods */
    public StoragePacer(PaceSettings settings, StoragePorts wire, Executor loop, long now) {
        this.settings = settings;
        this.wire = wire;
        this.loop = loop;
        this.turned = now - RateControl.STEP.toNanos();
    }

    /**
     * Does what is due; to be called every 50 ms or so.
     *
     * @param sent by the hosts of the jobs whose checkpoints are in flight
     * @param epoch of this coordinator's leadership
     */
    public void turn(Demand wanted, Map<String, TcpSegments> sent, long epoch, long now) {
        boolean isStep = wanted != demand || now - turned >= RateControl.STEP.toNanos();
        if (isStep) {
            step(wanted, sent, epoch, now);
        }
        if (wanted != Demand.NONE && (isStep || ports.size() <= MANY)) {
            ports.values().forEach(port -> port.probe(now));
        }
    }

    private void step(Demand wanted, Map<String, TcpSegments> sent, long epoch, long now) {
        boolean hasPaced = demand == Demand.PACE;
        demand = wanted;
        turned = now;
        retransmitShare = retransmits.share(sent);
        meet(now);
        ports.values().forEach(port -> port.measure(now));
        if (wanted == Demand.PACE) {
            ports.values().forEach(port -> port.pace(epoch, now));
        } else if (hasPaced) {
            ports.values().forEach(port -> port.set(AS_FAST_AS_IT_CAN, epoch, now));
        }
        look(now);
    }

    /** Another coordinator leads: what was set ends by itself. */
    void stop() {
        demand = Demand.NONE;
    }

    /** As of the last turn. */
    public Network network(Bandwidth bandwidth) {
        return new Network(bandwidth, settings, states, totalBytesPerSecond, retransmitShare);
    }

    private void meet(long now) {
        Set<NodeId> present = wire.nodes();
        if (present.equals(met)) {
            return;
        }
        met = present;
        ports.keySet().retainAll(present);
        present.forEach(node -> ports.computeIfAbsent(node, newcomer -> new Port(newcomer, now)));
        double place = 0.5;
        for (Port port : ports.values()) {
            port.phase = place++ / ports.size();
        }
    }

    private void look(long now) {
        List<PortState> seen = new ArrayList<>(ports.size());
        ports.values().forEach(port -> seen.add(port.state(now)));
        states = List.copyOf(seen);
        totalBytesPerSecond = ports.values().stream()
                .mapToDouble(port -> port.control.bytesPerSecond())
                .sum();
    }

    /** One I/O node's. */
    private final class Port {
        private final NodeId node;
        private final RateControl control;
        private double phase;
        private long leastNanos = NONE;
        private long roundTripNanos;
        private boolean isProbed;
        private long probedAt;
        private long setBytesPerSecond;
        private long setAt;

        Port(NodeId node, long now) {
            this.node = node;
            this.control = new RateControl(settings, now);
        }

        /** The next one goes when this one has ended: a lost one does not multiply. */
        void probe(long now) {
            if (isProbed) {
                return;
            }
            isProbed = true;
            probedAt = now;
            var _ = wire.probe(node).whenComplete((nanos, failure) -> loop.execute(() -> probed(nanos, failure)));
        }

        private void probed(Long nanos, Throwable failure) {
            isProbed = false;
            if (failure == null) {
                leastNanos = Math.min(leastNanos, nanos);
                control.probed(nanos, probedAt + nanos);
            } else {
                log.debug("no round trip to {}: {}", node, failure.getMessage());
            }
        }

        /** If no probe came back since the last step, the one that is on its way has taken that long at least. */
        void measure(long now) {
            if (leastNanos != NONE) {
                roundTripNanos = leastNanos;
            } else if (isProbed) {
                roundTripNanos = now - probedAt;
            }
            leastNanos = NONE;
        }

        void pace(long epoch, long now) {
            control.step(roundTripNanos, retransmitShare, now);
            long bytesPerSecond = Math.max(1, Math.round(control.bytesPerSecond()));
            if (bytesPerSecond != setBytesPerSecond || now - setAt >= RENEWAL.toNanos()) {
                set(new WriteRate(bytesPerSecond, settings.fanOut(ports.size()), phase, LASTS), epoch, now);
            }
        }

        void set(WriteRate rate, long epoch, long now) {
            setBytesPerSecond = rate.bytesPerSecond();
            setAt = now;
            var _ = wire.pace(node, rate, epoch)
                    .whenComplete((done, failure) -> loop.execute(() -> isSet(rate, failure)));
        }

        /** What could not be set is set again at the next turn. */
        private void isSet(WriteRate rate, Throwable failure) {
            if (failure != null) {
                log.debug("rate of {} not set: {}", node, failure.getMessage());
                if (setBytesPerSecond == rate.bytesPerSecond()) {
                    setBytesPerSecond = 0;
                }
            }
        }

        PortState state(long now) {
            return new PortState(
                    node.toString(),
                    demand == Demand.PACE ? control.bytesPerSecond() : 0,
                    roundTripNanos / 1000,
                    control.baseNanos(now) / 1000);
        }
    }
}
