// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.scale;

import io.albm.core.time.MonotonicClock;
import java.time.Duration;
import java.util.PriorityQueue;
import java.util.function.BooleanSupplier;

/** One queue of events; events of the same instant run in the order in which they were scheduled. Not thread-safe. */
final class VirtualTime implements MonotonicClock {
    private final PriorityQueue<Event> queue = new PriorityQueue<>();
    private long now;
    private long scheduled;

    private record Event(long at, long order, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return at == other.at ? Long.compare(order, other.order) : Long.compare(at, other.at);
        }
    }

    @Override
    public long nanoTime() {
        return now;
    }

    double seconds() {
        return now / 1e9;
    }

    void after(Duration delay, Runnable action) {
        queue.add(new Event(now + delay.toNanos(), scheduled++, action));
    }

    /** Runs events until the condition holds, or none is left. */
    void runUntil(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Event next = queue.poll();
            if (next == null) {
                throw new IllegalStateException("nothing happens any more after " + seconds() + " s");
            }
            now = next.at();
            next.action().run();
        }
    }
}
