// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.scale;

import io.albm.checkpoint.coordinator.StoragePorts;
import io.albm.core.node.NodeId;
import io.albm.storage.WriteRate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

/**
 * Ports and links as fluids: all who write share the ports evenly, up to their own links and to the rates at which I/O nodes
 * grant; ports that are offered more than they carry have full buffers. There are no losses, and no time in which senders wait
 * after them: what TCP itself makes of it is measured in the lab ({@code albm experiment multistripe}).
 */
final class SimulatedLinks implements StoragePorts {
    private static final Duration PATH = Duration.ofNanos(200_000);

    private final VirtualTime time;
    private final CoordinatorCost coordinator;
    private final Links links;
    private final Map<NodeId, Integer> ports = new TreeMap<>();
    private final double[] granted;
    private final PriorityQueue<Stream> streams = new PriorityQueue<>();
    private final List<CompletableFuture<Long>> probes = new ArrayList<>();
    private double grantedTotal = Double.MAX_VALUE;
    private boolean isRegranted;
    private double sentByEach;
    private double sentAt;
    private long begun;
    private long plans;

    /**
     * One who writes.
     *
     * @param end when each of those that write all the time has sent so many bytes
     */
    private record Stream(double end, long order, Runnable done) implements Comparable<Stream> {
        @Override
        public int compareTo(Stream other) {
            return end == other.end ? Long.compare(order, other.order) : Double.compare(end, other.end);
        }
    }

    SimulatedLinks(VirtualTime time, CoordinatorCost coordinator, Links links) {
        this.time = time;
        this.coordinator = coordinator;
        this.links = links;
        this.granted = new double[links.ioNodes()];
        Arrays.fill(granted, Double.MAX_VALUE);
        IntStream.range(0, links.ioNodes()).forEach(port -> ports.put(new NodeId("io-" + port), port));
    }

    /** Somebody writes so many bytes. */
    void write(double bytes, Runnable done) {
        advance();
        streams.add(new Stream(sentByEach + bytes, begun++, done));
        plan();
    }

    private void advance() {
        sentByEach += (time.seconds() - sentAt) * bytesPerSecond();
        sentAt = time.seconds();
    }

    /** Of each stream. */
    private double bytesPerSecond() {
        double ports = Math.min(links.left() * links.ioNodes(), grantedTotal);
        return streams.isEmpty() ? 0 : Math.min(links.left(), ports / streams.size());
    }

    /** At the end of this instant, whatever else changes in it. */
    private void plan() {
        long plan = ++plans;
        time.after(Duration.ZERO, () -> {
            if (isRegranted) {
                grantedTotal = Arrays.stream(granted).sum();
                isRegranted = false;
            }
            if (plan == plans && !streams.isEmpty()) {
                double seconds = Math.max(0, streams.element().end() - sentByEach) / bytesPerSecond();
                time.after(Duration.ofNanos((long) Math.ceil(seconds * 1e9)), () -> end(plan));
            }
        });
    }

    private void end(long plan) {
        if (plan != plans) {
            return;
        }
        advance();
        List<Stream> ended = new ArrayList<>();
        // A byte of tolerance: what is left of a sum of shares is no byte that anybody waits for.
        while (!streams.isEmpty() && streams.element().end() <= sentByEach + 1) {
            ended.add(streams.remove());
        }
        ended.forEach(stream -> stream.done().run());
        plan();
    }

    @Override
    public Set<NodeId> nodes() {
        return ports.keySet();
    }

    @Override
    public CompletableFuture<Long> probe(NodeId node) {
        CompletableFuture<Long> answered = new CompletableFuture<>();
        probes.add(answered);
        if (probes.size() == 1) {
            Duration roundTrip = PATH.plus(Duration.ofNanos((long) (queueSeconds() * 1e9)));
            time.after(roundTrip, () -> answerAll(roundTrip.toNanos()));
        }
        return answered;
    }

    private void answerAll(long nanos) {
        List<CompletableFuture<Long>> all = List.copyOf(probes);
        probes.clear();
        coordinator.run(() -> all.forEach(probe -> probe.complete(nanos)));
    }

    private double queueSeconds() {
        double offered = Math.min(links.left() * streams.size(), grantedTotal);
        return offered > links.left() * links.ioNodes() ? links.fullQueueSeconds() : 0;
    }

    @Override
    public CompletableFuture<Void> pace(NodeId node, WriteRate rate, long epoch) {
        if (!isRegranted) {
            advance();
            isRegranted = true;
        }
        granted[ports.getOrDefault(node, 0)] = rate.bytesPerSecond() == 0 ? Double.MAX_VALUE : rate.bytesPerSecond();
        plan();
        return CompletableFuture.completedFuture(null);
    }
}
