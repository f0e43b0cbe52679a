// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import io.albm.cache.policy.MeasuredReadCost;
import io.albm.cache.policy.MeasuredReadCost.Objective;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What operators change of a set of residents while it serves. Evictions that they cause are bound by the ledger like
 * all others: where responses still hold the memory, they wait for it, a bounded time, step by step, so that requests
 * never wait for an operator.
 *
 * <p>Thread-safe; the methods block: virtual threads only.
 *
 * @param <K> names a document
 */
public final class ResidentControl<K> {

    /**
     * One resident.
     *
     * @param name its key, as text
     * @param bytes of main memory that it takes
     * @param requests how many requests it has answered from memory
     */
    public record Kept(String name, long bytes, long requests) {}

    /**
     * What a purge came to.
     *
     * @param dropped documents that are not kept any more
     * @param left documents that stay, because responses held the memory that dropping them needs
     */
    public record Purged(long dropped, long left) {}

    /** Steps after which requests get their turn. */
    private static final int AT_ONCE = 512;

    /** Who takes a lock again at once takes it from those that it has just woken. */
    private static final long PAUSE_NANOS = 50_000;

    private final Object lock;
    private final ResidentSet<K, ? extends Resident> residents;
    private final MemoryLedger ledger;
    private final Duration patience;
    private final StoreStats stats;
    private final Object changing = new Object();

    /**
     * @param lock guards {@code residents}
     * @param patience longest wait of one step for memory in transit
     */
    public ResidentControl(
            Object lock,
            ResidentSet<K, ? extends Resident> residents,
            MemoryLedger ledger,
            Duration patience,
            StoreStats stats) {
        this.lock = lock;
        this.residents = residents;
        this.ledger = ledger;
        this.patience = patience;
        this.stats = stats;
    }

    /**
     * Changes the capacity, in steps of the largest document that is kept.
     *
     * @return whether it is what was asked for; if not, it is somewhere between, where memory was not let go in time
     */
    public boolean resize(long capacityBytes) throws InterruptedException {
        MemoryBounds target = new MemoryBounds(capacityBytes);
        synchronized (changing) {
            MemoryBounds now = ledger.bounds();
            while (now.residentBytes() > target.residentBytes()) {
                long less = Math.min(now.largestKeptBytes(), now.residentBytes() - target.residentBytes());
                MemoryBounds next = new MemoryBounds(now.residentBytes() - less);
                if (!shrink(now, next)) {
                    return false;
                }
                now = next;
            }
            apply(target, 0);
            return true;
        }
    }

    /** Documents that are larger than any that may be kept then go first, while there can be room for them in transit. */
    private boolean shrink(MemoryBounds now, MemoryBounds next) throws InterruptedException {
        admitAtMost(next.largestKeptBytes());
        long headroom = now.headroomToShrinkTo(next);
        Purged tooLarge =
                drop(residents, (key, resident) -> resident.bytes() > next.largestKeptBytes(), stats.shrinkings);
        if (tooLarge.left > 0 || !ledger.reserve(headroom, patience)) {
            admitAtMost(now.largestKeptBytes());
            return false;
        }
        apply(next, headroom);
        return true;
    }

    private void admitAtMost(long bytes) {
        synchronized (lock) {
            residents.admitAtMost(bytes);
        }
    }

    private void apply(MemoryBounds bounds, long headroom) {
        synchronized (lock) {
            residents.resize(bounds, headroom);
        }
    }

    /**
     * Puts another policy in charge of the same residents, {@value #AT_ONCE} at a time, so that requests go on.
     *
     * @throws IllegalArgumentException if no policy has that name
     */
    public void changePolicy(String name) {
        synchronized (changing) {
            begin(name).ifPresent(handover -> {
                handover.sort();
                while (!move()) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            });
        }
    }

    private Optional<Handover<?>> begin(String name) {
        synchronized (lock) {
            return name.equals(residents.policy()) ? Optional.empty() : Optional.of(residents.handOver(name));
        }
    }

    private boolean move() {
        synchronized (lock) {
            return residents.move(AT_ONCE);
        }
    }

    /** Changes what hits are for, from the next decision of a policy that heeds it. */
    public void changeObjective(Objective objective) {
        residents.readCost().objective(objective);
    }

    /** What is known now of the time that reads from the source take. */
    public MeasuredReadCost.Line readCost() {
        return residents.readCost().line();
    }

    /** What hits are for. */
    public Objective objective() {
        return residents.readCost().objective();
    }

    /** Name of the policy in charge. */
    public String policy() {
        synchronized (lock) {
            return residents.policy();
        }
    }

    /**
     * Drops the documents that the predicate names and that are kept when it begins, one by one, so that requests go on.
     * Responses under way are sent to their end.
     */
    public Purged purge(Predicate<? super K> names) throws InterruptedException {
        return purge(names, mark());
    }

    private long mark() {
        synchronized (lock) {
            return residents.mark();
        }
    }

    /**
     * The same of what was kept at an earlier moment.
     *
     * @param mark see {@link ResidentSet#mark}
     */
    public Purged purge(Predicate<? super K> names, long mark) throws InterruptedException {
        return drop(residents, (key, resident) -> ResidentSet.wasHere(resident, mark) && names.test(key), stats.purges);
    }

    /** Waits for memory in transit for no longer than one wait, in all. */
    private <V extends Resident> Purged drop(
            ResidentSet<K, V> set, BiPredicate<? super K, ? super V> chosen, LongAdder counter)
            throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        long dropped = 0;
        long left = 0;
        for (Map.Entry<K, V> one : set.all()) {
            if (!chosen.test(one.getKey(), one.getValue())) {
                continue;
            }
            Duration rest = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
            if (!ledger.reserve(one.getValue().document().bytes(), rest)) {
                left++;
            } else if (drop(set, one.getKey(), one.getValue()) && ++dropped % AT_ONCE == 0) {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        counter.add(dropped);
        return new Purged(dropped, left);
    }

    private <V extends Resident> boolean drop(ResidentSet<K, V> set, K key, V resident) {
        synchronized (lock) {
            return set.drop(key, resident);
        }
    }

    /**
     * The residents that come first in an order.
     *
     * @param most how many, at least 1
     */
    public List<Kept> first(int most, Comparator<? super Kept> order) {
        PriorityQueue<Kept> best = new PriorityQueue<>(order.reversed());
        residents.forEach((key, resident) -> {
            best.add(new Kept(key.toString(), resident.bytes(), resident.requests()));
            if (best.size() > most) {
                best.remove();
            }
        });
        return best.stream().sorted(order).collect(Collectors.toList());
    }
}
