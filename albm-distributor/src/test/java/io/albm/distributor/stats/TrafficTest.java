// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.stats;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.distributor.stats.Traffic.Count;
import org.junit.jupiter.api.Test;

class TrafficTest {
    private static final long SECOND = 1_000_000_000L;

    private final Traffic traffic = new Traffic();

    @Test
    void countsSessionsNowAndAtMost() {
        traffic.began();
        traffic.began();
        traffic.ended();

        assertThat(traffic.current()).isEqualTo(1);
        assertThat(traffic.most()).isEqualTo(2);
        assertThat(traffic.total(Count.SESSIONS)).isEqualTo(2);
    }

    @Test
    void countsResponsesByClassWhateverTheStatus() {
        for (int status : new int[] {101, 200, 204, 304, 404, 503, 0, 999}) {
            traffic.responded(status);
        }

        assertThat(traffic.responses(2)).isEqualTo(2);
        assertThat(traffic.responses(0)).isEqualTo(1);
        assertThat(traffic.responses()).isEqualTo(8);
    }

    @Test
    void knowsItsRateItsHighestRateAndSinceWhenNothingHappened() {
        traffic.look(0);
        assertThat(traffic.sessionRate().secondsSinceGrowth(0)).isEqualTo(-1);
        traffic.add(Count.SESSIONS, 50);
        traffic.look(SECOND);
        traffic.add(Count.SESSIONS, 10);
        traffic.look(2 * SECOND);
        traffic.look(5 * SECOND);

        assertThat(traffic.sessionRate().perSecond()).isZero();
        assertThat(traffic.sessionRate().most()).isEqualTo(50);
        assertThat(traffic.sessionRate().secondsSinceGrowth(5 * SECOND)).isEqualTo(3);
    }

    @Test
    void takesOverWhatAnotherHasCounted() {
        var gone = new Traffic();
        gone.add(Count.BYTES_OUT, 5);
        gone.responded(200);
        traffic.add(Count.BYTES_OUT, 2);
        traffic.absorb(gone);

        assertThat(traffic.total(Count.BYTES_OUT)).isEqualTo(7);
        assertThat(traffic.responses(2)).isEqualTo(1);
    }

    @Test
    void forgetsHowLongRequestsTookAfterAThousandOthers() {
        traffic.look(0);
        assertThat(traffic.mean(Count.TOTAL_NANOS)).isNaN();
        traffic.took(0, 5, 10, 30);
        traffic.took(4, 5, 30, 50);
        traffic.look(SECOND);
        assertThat(traffic.mean(Count.QUEUE_NANOS)).isEqualTo(2);
        assertThat(traffic.mean(Count.CONNECT_NANOS)).isEqualTo(5);
        assertThat(traffic.mean(Count.RESPONSE_NANOS)).isEqualTo(20);
        assertThat(traffic.mean(Count.TOTAL_NANOS)).isEqualTo(40);

        traffic.took(0, 0, 100, 100);
        traffic.took(0, 0, 100, 100);
        traffic.look(2 * SECOND);
        assertThat(traffic.mean(Count.TOTAL_NANOS)).isEqualTo(70);
        for (int i = 0; i < 2_000; i++) {
            traffic.took(0, 0, 7, 9);
        }
        traffic.look(3 * SECOND);
        assertThat(traffic.mean(Count.TOTAL_NANOS)).isEqualTo(9);
    }
}
