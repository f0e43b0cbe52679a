// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.lab;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Somebody who has nothing to do with the traffic and shares a port with it: echoes from one host to another, one after the
 * other, until it is closed.
 */
public final class Bystander implements AutoCloseable {
    private static final Duration INTERVAL = Duration.ofMillis(2);
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final int DIGITS = 3;
    private static final double NANOS_PER_MILLI = 1e6;

    private final LabHost from;
    private final LabHost to;
    private final Histogram nanos = new Histogram(DIGITS);
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread thread;
    private @Nullable IOException failure;

    /** Begins. */
    public Bystander(LabHost from, LabHost to) throws IOException {
        this.from = from;
        this.to = to;
        this.thread = from.start("bystander", this::run);
    }

    private void run() {
        try (Echo echo = from.echo(to, PATIENCE)) {
            while (!end.await(INTERVAL.toNanos(), TimeUnit.NANOSECONDS)) {
                nanos.recordValue(echo.nanos().orElse(PATIENCE.toNanos()));
            }
        } catch (IOException e) {
            failure = e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Round trips so far; once it is closed. A lost echo counts as its patience, a second.
     *
     * @param percentile 0 to 100
     */
    public double millisAt(double percentile) {
        return nanos.getValueAtPercentile(percentile) / NANOS_PER_MILLI;
    }

    /** How many there were. */
    public long echoes() {
        return nanos.getTotalCount();
    }

    @Override
    public void close() throws IOException {
        end.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (failure != null) {
            throw failure;
        }
    }
}
