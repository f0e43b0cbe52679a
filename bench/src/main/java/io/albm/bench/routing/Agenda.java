// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.routing;

import java.util.PriorityQueue;

/** What happens when. Two things at the same time happen in the order in which they were planned. */
final class Agenda {
    private final PriorityQueue<Entry> entries = new PriorityQueue<>();
    private long nowNanos;
    private long planned;

    private record Entry(long atNanos, long order, Runnable event) implements Comparable<Entry> {
        @Override
        public int compareTo(Entry other) {
            int byTime = Long.compare(atNanos, other.atNanos);
            return byTime == 0 ? Long.compare(order, other.order) : byTime;
        }
    }

    long nowNanos() {
        return nowNanos;
    }

    /** Plans an event. */
    void after(long delayNanos, Runnable event) {
        entries.add(new Entry(nowNanos + Math.max(0, delayNanos), planned++, event));
    }

    /** Plans an event again and again, the first time after {@code first}. */
    void every(long firstNanos, long periodNanos, Runnable event) {
        after(firstNanos, () -> {
            event.run();
            every(periodNanos, periodNanos, event);
        });
    }

    /** Lets everything happen that is planned up to that time. */
    void runUntil(long endNanos) {
        while (!entries.isEmpty() && entries.peek().atNanos <= endNanos) {
            Entry next = entries.remove();
            nowNanos = next.atNanos;
            next.event.run();
        }
        nowNanos = endNanos;
    }
}
