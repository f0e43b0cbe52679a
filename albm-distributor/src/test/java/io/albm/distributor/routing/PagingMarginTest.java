// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class PagingMarginTest {
    private static final double MIB = 1 << 20;
    private static final double LEVEL = 100 * MIB;
    private static final double LIMIT = 400 * MIB;
    private static final double FULL = 390 * MIB;
    private static final double LITTLE = 100 * MIB;
    private static final double SHORT = 95 * MIB;
    private static final double PLENTY = 200 * MIB;
    private static final Offset<Double> ABOUT = within(0.5);

    private final PagingMargin margin = new PagingMargin();
    private long now = 1_000_000_000_000L;

    private double after(double seconds, double pageReads, double freeBytes) {
        return after(seconds, pageReads, freeBytes, FULL);
    }

    private double after(double seconds, double pageReads, double freeBytes, double heldBytes) {
        now += (long) (seconds * 1e9);
        margin.observe(pageReads, freeBytes, LEVEL, heldBytes, LIMIT, now);
        return margin.bytes() / MIB;
    }

    @Test
    void keepsWhatWasReadBackFreeFromThenOn() {
        after(1, 0, SHORT);

        assertThat(after(1, 2560, SHORT)).isCloseTo(10, ABOUT);
        assertThat(after(0.25, 2560, SHORT)).isCloseTo(12.5, ABOUT);
        assertThat(after(1, 0, SHORT)).isCloseTo(12, ABOUT);
    }

    @Test
    void triesAgainLittleByLittle() {
        after(1, 2560, SHORT);

        assertThat(after(21, 0, SHORT)).isCloseTo(5, ABOUT);
        assertThat(after(300, 0, SHORT)).isCloseTo(0, ABOUT);
    }

    @Test
    void isNotMisledByPagesReadWhileMemoryIsPlenty() {
        assertThat(after(1, 10_000, PLENTY)).isZero();
    }

    @Test
    void isNotMisledByPagesReadForAnother() {
        assertThat(after(1, 10_000, SHORT, LITTLE)).isZero();
    }

    @Test
    void leavesMostOfTheHostInUseHoweverMuchIsRead() {
        for (int i = 0; i < 100; i++) {
            after(1, 10_000, SHORT);
        }

        assertThat(margin.bytes() / MIB).isCloseTo(20, ABOUT);
    }
}
