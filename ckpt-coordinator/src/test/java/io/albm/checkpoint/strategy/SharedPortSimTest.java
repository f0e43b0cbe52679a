// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.strategy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;

/** Checkpoints on a port that others use, too: what politeness buys, and what it costs. Nothing is timed. */
class SharedPortSimTest {
    private static final double PORT = SharedPort.BYTES_PER_SECOND;
    private static final double SECONDS = 20;
    private static final int RANKS = 16;
    private static final int SEEDS = 10;
    private static final double BUFFER = 256 * 1024;

    @Test
    void whoIsPoliteLeavesNoQueueAndUsesMostOfWhatIsLeftOver() {
        for (long seed = 0; seed < SEEDS; seed++) {
            SharedPort unpaced = new SharedPort(seed, BUFFER, RANKS, 0);
            unpaced.run(SECONDS, () -> Double.MAX_VALUE, burstsOf(seed, unpaced), () -> {});
            SharedPort polite = new SharedPort(seed, BUFFER, RANKS, 0);
            DoubleSupplier others = burstsOf(seed, polite);
            paced(polite, Politeness.POLITE, others);
            assertThat(unpaced.queueSeconds(0.5)).as("unpaced, seed %d", seed).isGreaterThan(0.005);
            assertThat(polite.queueSeconds(0.5)).as("polite, seed %d", seed).isLessThan(0.0005);
            assertThat(polite.bytes()).as("polite, seed %d", seed).isGreaterThan(0.6 * unpaced.bytes());
        }
    }

    @Test
    void whoIsFastTakesMoreFromLongFlowsThanTheHalvedGroupOfThePaper() {
        for (long seed = 0; seed < SEEDS; seed++) {
            int halved = new StripeGroupPolicy(RANKS).groupSize(new Bandwidth(PORT, 0.2 * PORT));
            SharedPort multistriped = new SharedPort(seed, BUFFER, halved, 4);
            multistriped.run(SECONDS, () -> Double.MAX_VALUE, () -> 0, () -> {});
            SharedPort fast = new SharedPort(seed, BUFFER, RANKS, 4);
            paced(fast, Politeness.FAST, () -> 0);
            assertThat(halved).isEqualTo(2);
            assertThat(fast.bytes()).as("seed %d", seed).isGreaterThan(1.6 * multistriped.bytes());
        }
    }

    @Test
    void whoIsPoliteYieldsToLongFlowsAndStillComesThrough() {
        SharedPort polite = new SharedPort(1, BUFFER, RANKS, 4);
        paced(polite, Politeness.POLITE, () -> 0);
        assertThat(polite.bytes() / SECONDS).isBetween(0.04 * PORT, 0.4 * PORT);
    }

    /** Drives the flows' limit as a coordinator would. */
    private static void paced(SharedPort port, Politeness politeness, DoubleSupplier others) {
        RateControl control = new RateControl(new PaceSettings(PORT, PORT, 0.9, politeness), 0);
        control.probed((long) (port.roundTripSeconds() * 1e9), 0);
        Runnable step = new Runnable() {
            private TcpSegments last = TcpSegments.NONE;
            private long due;

            @Override
            public void run() {
                if (port.nanos() >= due) {
                    due += RateControl.STEP.toNanos();
                    long roundTrip = (long) (port.roundTripSeconds() * 1e9);
                    control.probed(roundTrip, port.nanos());
                    control.step(roundTrip, port.segments().since(last).retransmitShare(), port.nanos());
                    last = port.segments();
                }
            }
        };
        port.run(SECONDS, control::bytesPerSecond, others, step);
    }

    /** Traffic that does not yield: another share of the port, 0 to 60 %, every 2 s. */
    private static DoubleSupplier burstsOf(long seed, SharedPort port) {
        double[] shares =
                new Random(seed).doubles(1 + (int) (SECONDS / 2), 0, 0.6).toArray();
        return () -> shares[(int) Math.min(shares.length - 1, port.nanos() / 2_000_000_000L)] * PORT;
    }
}
