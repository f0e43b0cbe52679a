// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BandwidthMeterTest {
    private static final double LINK = 1000;

    private final AtomicLong bytes = new AtomicLong(5000);
    private final BandwidthMeter meter = new BandwidthMeter(bytes::get, LINK, 0);

    @Test
    void isUnchangedBeforeTheFirstSample() {
        assertThat(meter.bandwidth().ratio()).isEqualTo(1);
    }

    @Test
    void isTheLinkLessWhatTheCountersSay() {
        use(200, 1);
        use(600, 2);
        assertThat(meter.bandwidth()).isEqualTo(new Bandwidth(800, 400));
    }

    @Test
    void neverFallsBelowNothingAndSurvivesACounterThatWraps() {
        use(0, 1);
        use(5000, 2);
        assertThat(meter.bandwidth().now()).isZero();
        bytes.set(0);
        meter.sample(TimeUnit.SECONDS.toNanos(3));
        assertThat(meter.bandwidth().now()).isEqualTo(LINK);
    }

    private void use(long more, long second) {
        bytes.addAndGet(more);
        meter.sample(TimeUnit.SECONDS.toNanos(second));
    }
}
