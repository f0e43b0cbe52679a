// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.cluster.CoordinationException;
import io.albm.core.node.NodeId;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * What a leader has applied and ZooKeeper may not have, and which other nodes hold it. Each holder gets one append at a time,
 * with all that it lacks; so what comes while one is under way goes together. A holder that fails, or does not answer in time,
 * is replaced by another node, if there is one; answers wait for ZooKeeper then, or for the other.
 *
 * <p>Belongs to the lane. Bounded by what the leader lets be under way.
 */
final class LogTail {
    /** For one append; many times what it takes, and about what a slow disk takes for a batch. */
    private static final Duration PATIENCE = Duration.ofMillis(250);

    /** Before a node that failed is asked again. */
    private static final Duration DOUBT = Duration.ofSeconds(1);

    private final TableSite site;
    private final long epoch;
    private final Lane lane;
    private final Runnable onHeld;
    private final Deque<byte[]> entries = new ArrayDeque<>();
    private final List<Holder> holders = new ArrayList<>();
    private final Map<NodeId, Long> doubtedAt = new HashMap<>();
    private long durable;
    private long ownLast;

    private static final class Holder {
        final NodeId node;
        boolean busy;
        long last;

        Holder(NodeId node) {
            this.node = node;
        }
    }

    /**
     * @param durable the number of the log's last entry
     * @param onHeld is called when {@link #held} may have grown
     */
    LogTail(TableSite site, long epoch, long durable, Lane lane, Runnable onHeld) {
        this.site = site;
        this.epoch = epoch;
        this.durable = durable;
        this.lane = lane;
        this.onHeld = onHeld;
    }

    void add(byte[] entry) {
        entries.add(entry);
    }

    /** The number of the last entry. */
    long last() {
        return durable + entries.size();
    }

    /** The number of the last durable entry. */
    long durable() {
        return durable;
    }

    /** The last entry that as many other nodes hold as must, with all before it that are not durable. */
    long held() {
        return holders.size() < site.tails().copies()
                ? 0
                : holders.stream().mapToLong(holder -> holder.last).min().orElse(0);
    }

    /** Entries up to this one are durable. */
    void forget(long nowDurable) {
        while (durable < nowDurable) {
            entries.remove();
            durable++;
        }
    }

    /** Sends what is new, to the tail of this node and to the holders that are not busy. */
    void send() {
        if (site.tails().copies() == 0) {
            return;
        }
        Held own = site.tails().own().append(after(ownLast));
        ownLast = own.last();
        heed(own);
        choose();
        List.copyOf(holders).forEach(this::send);
    }

    private TailAppend after(long held) {
        long skipped = Math.max(0, held - durable);
        return new TailAppend(
                epoch,
                durable,
                durable + skipped + 1,
                entries.stream().skip(skipped).toList());
    }

    /** As many nodes as must hold it, those that have not failed lately first, starting behind this one. */
    private void choose() {
        long now = site.clock().nanoTime();
        doubtedAt.values().removeIf(since -> now - since > DOUBT.toNanos());
        Set<NodeId> alive = site.tails().link().nodes();
        holders.removeIf(holder -> !alive.contains(holder.node));
        int missing = site.tails().copies() - holders.size();
        if (missing > 0) {
            candidates(alive).limit(missing).forEach(node -> holders.add(new Holder(node)));
        }
    }

    private Stream<NodeId> candidates(Set<NodeId> alive) {
        List<NodeId> taken = holders.stream().map(holder -> holder.node).toList();
        return alive.stream()
                .filter(node -> !node.equals(site.self()) && !taken.contains(node))
                .sorted(Comparator.<NodeId, Boolean>comparing(doubtedAt::containsKey)
                        .thenComparing(node -> node.compareTo(site.self()) < 0)
                        .thenComparing(Comparator.naturalOrder()));
    }

    private void send(Holder holder) {
        if (holder.busy || holder.last >= last() || doubtedAt.containsKey(holder.node)) {
            return;
        }
        holder.busy = true;
        CompletableFuture<Optional<Held>> answer = site.tails()
                .link()
                .append(holder.node, after(holder.last), PATIENCE)
                .handle((held, failure) -> Optional.ofNullable(held));
        lane.then(answer, held -> answered(holder, held));
    }

    private void answered(Holder holder, Optional<Held> held) {
        holder.busy = false;
        if (!holders.contains(holder)) {
            return;
        }
        if (held.isPresent()) {
            heed(held.get());
            holder.last = held.get().last();
            onHeld.run();
        } else {
            holders.remove(holder);
            doubtedAt.put(holder.node, site.clock().nanoTime());
        }
        send();
    }

    /** A node that has promised itself to a higher epoch knows that this one is over. */
    private void heed(Held held) {
        if (held.promised() > epoch) {
            lane.then(
                    CompletableFuture.failedFuture(new CoordinationException.VersionConflict(
                            "epoch " + held.promised() + " of the file table has begun")),
                    nothing -> {});
        }
    }
}
