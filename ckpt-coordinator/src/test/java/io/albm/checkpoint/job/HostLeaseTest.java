// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class HostLeaseTest {
    private final HostLease lease = new HostLease(Duration.ofSeconds(10), at(0));

    @Test
    void aHostIsSilentWhenTheLastAnsweredCommandIsOlderThanTheLease() {
        lease.sent(at(8));
        lease.answered(at(8));
        lease.sent(at(12));
        assertThat(lease.isSilent(at(18))).isFalse();
        assertThat(lease.isSilent(at(19))).isTrue();
    }

    @Test
    void ranksMayRunForALeaseAndAMarginAfterACommandThatMayHaveBeenHeard() {
        lease.sent(at(0));
        lease.answered(at(0));
        lease.sent(at(9));
        assertThat(lease.hasRunOut(at(22)))
                .as("the answer may be what was lost")
                .isFalse();
        assertThat(lease.hasRunOut(at(23))).isTrue();
    }

    private static long at(long seconds) {
        return Duration.ofSeconds(seconds).toNanos()
                + Long.MAX_VALUE
                - Duration.ofSeconds(10).toNanos();
    }
}
