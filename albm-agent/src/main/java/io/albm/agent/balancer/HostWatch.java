// SPDX-License-Identifier: Apache-2.0
package io.albm.agent.balancer;

import io.albm.core.node.CounterSample;
import io.albm.core.node.Threshold;
import io.albm.core.node.Thresholds;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Judges one host by the cluster's thresholds, sample by sample, for balancers that take a word instead of counters.
 *
 * <p>The same rule as the distributor's: short when it is past the first level of any counter for some samples in a row,
 * recovered past the second level of all for as many, and out for a minimum time. What one host cannot know is how many
 * others are out; a balancer that is told {@code down} by all of them has nobody left. So a host says it only while
 * {@code mayLeave} allows, and otherwise asks for the least share.
 *
 * <p>Pure: time comes in by argument. For one thread.
 */
final class HostWatch {
    private static final int SAMPLES = 4;
    private static final long MIN_TIME_OUT_NANOS = TimeUnit.SECONDS.toNanos(2);

    private boolean out;
    private long outSinceNanos;
    private int inARow;

    /**
     * The state after one more sample.
     *
     * @param mayLeave whether enough others serve; asked only of a host that is short
     */
    HostState step(long nowNanos, CounterSample sample, Thresholds thresholds, BooleanSupplier mayLeave) {
        if (out) {
            inARow = thresholds.isRecovered(sample) ? inARow + 1 : 0;
            if (isRested(nowNanos) || !mayLeave.getAsBoolean()) {
                change(false, nowNanos);
            }
        } else {
            inARow = thresholds.isShort(sample) ? Math.min(inARow + 1, SAMPLES) : 0;
            if (inARow >= SAMPLES && mayLeave.getAsBoolean()) {
                change(true, nowNanos);
            }
        }
        return out ? shortOf(sample, thresholds) : new HostState.Ready(Headroom.share(thresholds, sample));
    }

    private boolean isRested(long nowNanos) {
        return inARow >= SAMPLES && nowNanos - outSinceNanos >= MIN_TIME_OUT_NANOS;
    }

    private void change(boolean nowOut, long nowNanos) {
        out = nowOut;
        outSinceNanos = nowNanos;
        inARow = 0;
    }

    private static HostState shortOf(CounterSample sample, Thresholds thresholds) {
        return thresholds
                .tightest(sample)
                .map(Threshold::counter)
                .<HostState>map(counter -> new HostState.Relieved(counter, sample.value(counter)))
                .orElseGet(() -> new HostState.Ready(1));
    }
}
