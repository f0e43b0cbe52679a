// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RateLimitTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** Near the end of the numbers: they may overflow. */
    private long now = Long.MAX_VALUE - SECOND;

    private final RateLimit limit = new RateLimit(1000, 3000);

    @Test
    void letsABurstBeginAtOnceAndThenItsRate() {
        limit.charge(2000, now);
        assertThat(limit.waitNanos(now)).isZero();
        limit.charge(2000, now);
        assertThat(limit.waitNanos(now)).isEqualTo(SECOND);
    }

    @Test
    void savesUpNoMoreThanABurst() {
        limit.charge(4000, now);
        now += 100 * SECOND;
        limit.charge(4000, now);
        assertThat(limit.waitNanos(now)).isEqualTo(SECOND);
    }

    @Test
    void owesAsManyBytesAfterAChangeOfTheRate() {
        limit.charge(5000, now);
        assertThat(limit.waitNanos(now)).isEqualTo(2 * SECOND);
        limit.change(500, 3000, now);
        assertThat(limit.waitNanos(now)).isEqualTo(4 * SECOND);
    }

    @Test
    void hasSavedUpAsManyBytesAfterAChangeOfTheRateUnlessABurstIsLessNow() {
        limit.change(500, 3000, now);
        limit.charge(3000, now);
        assertThat(limit.waitNanos(now)).isZero();
        now += 6 * SECOND;
        limit.change(1000, 1000, now);
        limit.charge(2000, now);
        assertThat(limit.waitNanos(now)).isEqualTo(SECOND);
    }
}
