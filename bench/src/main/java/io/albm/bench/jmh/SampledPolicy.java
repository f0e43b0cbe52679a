// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.jmh;

import io.albm.cache.policy.EvictionPolicy;
import io.albm.cache.policy.PolicyContext;
import io.albm.cache.policy.SchedulingWindow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The plain form of {@code window-aware}, as a yardstick for its cost: of 32 random residents the one with the largest
 * {@code bytes x distance} goes. The distance of a document that waits is exact; of any other it is the window's length and
 * the larger of its average gap and its age, before the second request the mean second gap over the chance of one. Nothing
 * is learned beyond that, no candidate is carried over, no victim spared.
 */
final class SampledPolicy<K> implements EvictionPolicy<K> {
    private static final int SAMPLES = 32;
    private static final int HISTORY_PER_RESIDENT = 2;
    private static final double NEWEST_GAP = 0.15;

    private static final class Entry<K> {
        private final K key;
        private long bytes;
        private int requests;
        private long lastRequest;
        private double gap;
        private boolean maybeAwaited;
        private int place;

        private Entry(K key) {
            this.key = key;
        }
    }

    private final SplittableRandom random = new SplittableRandom(1);
    private final Map<K, Entry<K>> resident = new HashMap<>();
    private final List<Entry<K>> dense = new ArrayList<>();
    private final LinkedHashMap<K, Entry<K>> history = new LinkedHashMap<>();
    private final SchedulingWindow<K> window;
    private long capacityBytes;
    private long residentBytes;
    private double first = 1;
    private double second = 0.5;
    private double secondGaps = 100;

    SampledPolicy(PolicyContext<K> context) {
        window = context.window();
        capacityBytes = context.capacityBytes();
    }

    private long now() {
        return window.arrivals() - window.occupancy();
    }

    @Override
    public void arrived(K key) {
        Entry<K> entry = resident.get(key);
        if (entry != null) {
            entry.maybeAwaited = true;
        }
    }

    @Override
    public void served(K key) {
        Entry<K> entry = resident.get(key);
        if (entry == null) {
            throw new IllegalArgumentException(key + " is not resident");
        }
        requested(entry);
    }

    private void requested(Entry<K> entry) {
        double gap = now() - entry.lastRequest;
        switch (entry.requests) {
            case 0 -> first++;
            case 1 -> {
                second++;
                secondGaps += gap;
                entry.gap = gap;
            }
            default -> entry.gap += NEWEST_GAP * (gap - entry.gap);
        }
        entry.requests++;
        entry.lastRequest = now();
    }

    @Override
    public boolean admit(K key, long bytes, Consumer<? super K> evicted) {
        Entry<K> known = history.remove(key);
        Entry<K> newcomer = known == null ? new Entry<>(key) : known;
        newcomer.bytes = bytes;
        newcomer.maybeAwaited = true;
        requested(newcomer);
        if (!evictTo(capacityBytes - bytes, score(newcomer), evicted)) {
            remember(newcomer);
            return false;
        }
        newcomer.place = dense.size();
        dense.add(newcomer);
        resident.put(key, newcomer);
        residentBytes += bytes;
        return true;
    }

    private boolean evictTo(long bytes, double leastScore, Consumer<? super K> evicted) {
        while (residentBytes > bytes) {
            Entry<K> worst = worst();
            if (score(worst) <= leastScore) {
                return false;
            }
            drop(worst);
            evicted.accept(worst.key);
        }
        return true;
    }

    private Entry<K> worst() {
        Entry<K> worst = dense.get(random.nextInt(dense.size()));
        double highest = score(worst);
        for (int draw = 1; draw < SAMPLES; draw++) {
            Entry<K> entry = dense.get(random.nextInt(dense.size()));
            double score = score(entry);
            if (score > highest) {
                worst = entry;
                highest = score;
            }
        }
        return worst;
    }

    private double score(Entry<K> entry) {
        return entry.bytes * distance(entry);
    }

    private double distance(Entry<K> entry) {
        if (entry.maybeAwaited) {
            long next = window.nextArrival(entry.key);
            if (next >= 0) {
                return Math.max(1, next - now());
            }
            entry.maybeAwaited = false;
        }
        double age = now() - entry.lastRequest;
        double unknown = entry.requests == 1 ? secondGaps / second * first / second : entry.gap;
        return window.occupancy() + Math.max(unknown, age);
    }

    private void drop(Entry<K> entry) {
        Entry<K> last = dense.removeLast();
        if (last != entry) {
            dense.set(entry.place, last);
            last.place = entry.place;
        }
        resident.remove(entry.key);
        residentBytes -= entry.bytes;
        remember(entry);
    }

    private void remember(Entry<K> entry) {
        history.put(entry.key, entry);
        while (history.size() > HISTORY_PER_RESIDENT * Math.max(1, dense.size())) {
            history.pollFirstEntry();
        }
    }

    @Override
    public void remove(K key) {
        Entry<K> entry = resident.get(key);
        if (entry != null) {
            drop(entry);
        }
    }

    @Override
    public void resize(long capacityBytes, Consumer<? super K> evicted) {
        this.capacityBytes = capacityBytes;
        evictTo(capacityBytes, -1, evicted);
    }

    @Override
    public Supplier<List<K>> victimsFirst() {
        List<K> unordered = dense.stream().map(entry -> entry.key).toList();
        return () -> unordered;
    }

    @Override
    public boolean isResident(K key) {
        return resident.containsKey(key);
    }

    @Override
    public long capacityBytes() {
        return capacityBytes;
    }

    @Override
    public long residentBytes() {
        return residentBytes;
    }

    @Override
    public int residents() {
        return dense.size();
    }
}
