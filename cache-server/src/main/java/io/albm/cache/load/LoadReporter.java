// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.load;

import io.albm.cache.http.HttpStats;
import io.albm.core.node.OrcaReport;
import io.albm.core.time.MonotonicClock;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Computes the server's load report some times a second, so that a response only carries bytes that are there already.
 * Rates are those since the last report. The application's utilization is the higher of CPU and memory: balancers
 * such as Envoy take it before the others and would not see memory otherwise.
 *
 * <p>Turned by a thread of its own, or by {@link #step} in a test.
 */
public final class LoadReporter implements AutoCloseable {
    private static final long INTERVAL_NANOS = Duration.ofMillis(250).toNanos();
    private static final double NANOS_PER_SECOND = 1e9;

    private final HttpStats stats;
    private final DoubleSupplier cpu;
    private final DoubleSupplier memory;
    private final Consumer<OrcaReport> out;
    private long lastNanos;
    private long lastResponses;
    private long lastErrors;
    private volatile boolean closed;
    private @Nullable Thread thread;

    /**
     * A reporter that has reported nothing yet.
     *
     * @param cpu utilization, 0 to 1 or NaN if it is not known
     * @param memory the same of memory
     * @param nowNanos from when the first rates count
     */
    public LoadReporter(
            HttpStats stats, DoubleSupplier cpu, DoubleSupplier memory, Consumer<OrcaReport> out, long nowNanos) {
        this.stats = stats;
        this.cpu = cpu;
        this.memory = memory;
        this.out = out;
        this.lastNanos = nowNanos;
    }

    /** Turns until closed, on a virtual thread. */
    public void start(MonotonicClock clock) {
        thread = Thread.ofVirtual().name("load-report").start(() -> run(clock));
    }

    private void run(MonotonicClock clock) {
        while (!closed) {
            LockSupport.parkNanos(INTERVAL_NANOS);
            step(clock.nanoTime());
        }
    }

    /** One report; none without time since the last. */
    void step(long nowNanos) {
        double seconds = (nowNanos - lastNanos) / NANOS_PER_SECOND;
        if (seconds <= 0) {
            return;
        }
        long responses = stats.responses();
        long errors = stats.serverErrors();
        double cpuNow = cpu.getAsDouble();
        double memoryNow = memory.getAsDouble();
        out.accept(new OrcaReport(
                cpuNow,
                memoryNow,
                higher(cpuNow, memoryNow),
                (responses - lastResponses) / seconds,
                (errors - lastErrors) / seconds));
        lastNanos = nowNanos;
        lastResponses = responses;
        lastErrors = errors;
    }

    private static double higher(double a, double b) {
        return Double.isNaN(a) || b > a ? b : a;
    }

    /** Ends the thread, and waits for its end: what it reads may be closed then. */
    @Override
    public void close() {
        closed = true;
        Thread started = thread;
        if (started != null) {
            LockSupport.unpark(started);
            joinUninterruptibly(started);
        }
    }

    private static void joinUninterruptibly(Thread thread) {
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
