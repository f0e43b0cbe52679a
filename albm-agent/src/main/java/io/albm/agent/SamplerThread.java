// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import io.albm.core.time.MonotonicClock;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/** Turns a step at a fixed interval until it is closed. A step that comes late is not made up for. */
final class SamplerThread implements AutoCloseable {
    private final LongConsumer step;
    private final MonotonicClock clock;
    private final long intervalNanos;
    private final Thread thread;
    private volatile boolean closed;

    private SamplerThread(LongConsumer step, MonotonicClock clock, Duration interval) {
        this.step = step;
        this.clock = clock;
        this.intervalNanos = interval.toNanos();
        this.thread = Thread.ofPlatform().name("sampler").daemon().unstarted(this::run);
    }

    static SamplerThread start(LongConsumer step, MonotonicClock clock, Duration interval) {
        SamplerThread sampler = new SamplerThread(step, clock, interval);
        sampler.thread.start();
        return sampler;
    }

    private void run() {
        long next = clock.nanoTime();
        while (!closed) {
            long now = clock.nanoTime();
            if (now - next < 0) {
                LockSupport.parkNanos(next - now);
                continue;
            }
            step.accept(now);
            next = now + intervalNanos;
        }
    }

    /** Returns when the last step is over. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
