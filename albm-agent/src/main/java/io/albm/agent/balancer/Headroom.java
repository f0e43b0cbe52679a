// SPDX-License-Identifier: Apache-2.0
package io.albm.agent.balancer;

import io.albm.core.node.CounterSample;
import io.albm.core.node.Threshold;
import io.albm.core.node.Thresholds;

/**
 * How much of its full share a host should get: 1 while it is far from every threshold, 0 at the first one, linear
 * between.
 *
 * <p>Far is where a counter is twice as good as it must be to recover: {@code 2 * recover} where low is bad, half of
 * {@code recover} where high is bad. For each counter {@code share = (value - relieve) / (far - relieve)} within 0 and 1,
 * and the least share counts. With P1's 100 and 130 MiB of available memory that is full from 260 MiB on, one half at 180
 * MiB, nothing at 100 MiB.
 */
final class Headroom {
    private Headroom() {}

    /** The share, 0 to 1; 1 without thresholds. */
    static double share(Thresholds thresholds, CounterSample sample) {
        return thresholds.levels().stream()
                .mapToDouble(level -> share(level, sample))
                .min()
                .orElse(1);
    }

    private static double share(Threshold level, CounterSample sample) {
        if (!sample.has(level.counter())) {
            return 1;
        }
        double far = switch (level.counter().direction()) {
            case LOW_IS_BAD -> 2 * level.recover();
            case HIGH_IS_BAD -> level.recover() / 2;
        };
        double range = far - level.relieve();
        double reached = sample.value(level.counter()) - level.relieve();
        return range == 0 ? (level.isShort(sample) ? 0 : 1) : Math.clamp(reached / range, 0.0, 1.0);
    }
}
