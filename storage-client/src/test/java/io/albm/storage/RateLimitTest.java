// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RateLimitTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /** Near the end of the numbers: they may overflow. */
    private long now = Long.MAX_VALUE - SECOND;

    private final RateLimit limit = new RateLimit(1000);

    @Test
    void letsWorkBeginWhenAllBeforeIsPaidFor() {
        assertThat(limit.waitNanos(now)).isZero();
        limit.charge(2000, now);
        assertThat(limit.waitNanos(now)).isEqualTo(2 * SECOND);
        now += SECOND;
        limit.charge(1000, now);
        assertThat(limit.waitNanos(now)).isEqualTo(2 * SECOND);
    }

    @Test
    void savesNothingUp() {
        limit.charge(1000, now);
        now += 100 * SECOND;
        limit.charge(1000, now);
        assertThat(limit.waitNanos(now)).isEqualTo(SECOND);
    }
}
