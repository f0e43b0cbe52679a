// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Requests that wait elsewhere, at a distributor, and may come here: the part of the {@link SchedulingWindow} that lies
 * beyond this server. A guess and no promise, since a distributor tells every backend and sends each request to the first
 * that has a place.
 *
 * <p><b>How far away they are is learned</b>, not told: from the share of announced requests that came, and from how many
 * others came between announcement and arrival. One that comes with a chance of one in four after 20 requests is worth as
 * much as a certain one after 80; one that is overdue is believed the less, the longer it is. So nobody has to know how many
 * servers and distributors there are, and announcements that come to nothing soon count for nothing.
 *
 * <p><b>An announcement ends</b> with the next request for its document; when {@value #OVERDUE} times as many requests have
 * come as come before one that was announced; after {@link #BELIEVED}; or, as the oldest, when there is room for no more. All
 * is O(1), amortised.
 *
 * <p>Not thread-safe: part of its window.
 */
final class AnnouncedRequests<K> {

    /** As long as a request waits at a distributor at most, unless its {@code queue-timeout} says otherwise. */
    static final Duration BELIEVED = Duration.ofSeconds(3);

    /** Ended announcements that the averages tell of. */
    private static final int MEMORY = 32;

    /** With less, delays that vary much would shorten their own average, since late arrivals would not count. */
    private static final int OVERDUE = 4;

    private static final double LEAST_SHARE = 1.0 / 1024;

    private static final class Announced<K> {
        private final K key;
        private final long arrivals;
        private final long nanos;
        private @Nullable Announced<K> next;
        private boolean over;

        private Announced(K key, long arrivals, long nanos) {
            this.key = key;
            this.arrivals = arrivals;
            this.nanos = nanos;
        }
    }

    /** Announcements of one document; never empty. */
    private static final class Line<K> {
        private final Announced<K> oldest;
        private Announced<K> newest;

        private Line(Announced<K> oldest, Announced<K> newest) {
            this.oldest = oldest;
            this.newest = newest;
        }
    }

    private final ArrayDeque<Announced<K>> byAge = new ArrayDeque<>();
    private final Map<K, Line<K>> byKey = new HashMap<>();
    private final int limit;
    private int waiting;
    private double share = 1;
    private double delay;
    private int ended;
    private int came;

    /** @param limit most that are remembered at once, at least 0 */
    AnnouncedRequests(int limit) {
        if (limit < 0) {
            throw new IllegalArgumentException("limit of announced requests is " + limit + "; expected at least 0");
        }
        this.limit = limit;
        delay = limit;
    }

    /** Whether anything may be announced at all. */
    boolean areHeeded() {
        return limit > 0;
    }

    void add(K key, long arrivals, long nowNanos) {
        expire(arrivals, nowNanos);
        if (byAge.size() == limit) {
            drop(byAge.remove());
        }
        var announced = new Announced<>(key, arrivals, nowNanos);
        byAge.add(announced);
        waiting++;
        Line<K> line = byKey.get(key);
        if (line == null) {
            byKey.put(key, new Line<>(announced, announced));
        } else {
            line.newest.next = announced;
            line.newest = announced;
        }
    }

    /** A request came: of those that were announced for its document, it is thought to be the oldest. */
    void arrived(K key, long arrivals) {
        Line<K> line = byKey.isEmpty() ? null : byKey.get(key);
        if (line != null) {
            came = Math.min(came + 1, MEMORY);
            delay += (arrivals - line.oldest.arrivals - delay) / came;
            learn(1);
            end(line.oldest);
        }
    }

    /** Forgets what should have come by now. */
    void expire(long arrivals, long nowNanos) {
        while (!byAge.isEmpty() && isPast(byAge.element(), arrivals, nowNanos)) {
            drop(byAge.remove());
        }
    }

    private boolean isPast(Announced<K> announced, long arrivals, long nowNanos) {
        return announced.over
                || nowNanos - announced.nanos > BELIEVED.toNanos()
                || arrivals - announced.arrivals > OVERDUE * Math.max(1, delay);
    }

    private void drop(Announced<K> oldest) {
        if (!oldest.over) {
            learn(0);
            end(oldest);
        }
    }

    private void learn(int outcome) {
        ended = Math.min(ended + 1, MEMORY);
        share += (outcome - share) / ended;
    }

    /** Ends the oldest of its document. */
    private void end(Announced<K> oldest) {
        oldest.over = true;
        waiting--;
        Line<K> line = byKey.remove(oldest.key);
        if (line != null && oldest.next != null) {
            byKey.put(oldest.key, new Line<>(oldest.next, line.newest));
        }
    }

    /**
     * In how many requests the next one for that document is thought to come, over the chance that it comes at all;
     * infinite if none is announced.
     *
     * @param arrivals requests that came so far
     * @param waiting how many of them are served first
     */
    double distance(K key, long arrivals, int waiting) {
        Line<K> line = byKey.isEmpty() ? null : byKey.get(key);
        if (line == null) {
            return Double.POSITIVE_INFINITY;
        }
        double away = Math.abs(line.oldest.arrivals + delay - arrivals);
        return (waiting + Math.max(1, away)) / Math.max(LEAST_SHARE, share);
    }

    /** How many are believed to wait. */
    int waiting() {
        return waiting;
    }
}
