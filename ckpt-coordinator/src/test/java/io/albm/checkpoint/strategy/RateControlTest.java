// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.strategy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RateControlTest {
    private static final double MEGABYTE = 1e6;
    private static final double PORT = 1000 * MEGABYTE;
    private static final long PATH = micros(200);
    private static final long QUEUED = PATH + RateControl.QUEUE.toNanos() + 1;

    @Test
    void beginsAtTheShareAndNeverGoesBeyond() {
        RateControl control = control(0.9, Politeness.POLITE);
        assertThat(megabytes(control)).isEqualTo(900);
        control.step(PATH, 0, 0);
        assertThat(megabytes(control)).isEqualTo(900);
    }

    @Test
    void aQueueTakesAFifthAndEveryStepWithoutOneGivesATwentiethOfThePort() {
        RateControl control = control(0.9, Politeness.POLITE);
        control.step(QUEUED, 0, 0);
        assertThat(megabytes(control)).isEqualTo(720);
        control.step(QUEUED - 1, 0, 0);
        assertThat(megabytes(control)).isEqualTo(770);
    }

    @Test
    void onASlowPortASegmentOfEachOfSixteenStreamsIsNoQueue() {
        double port = 3 * MEGABYTE;
        RateControl control = new RateControl(new PaceSettings(port, port, 1, Politeness.POLITE), 0);
        control.probed(PATH, 0);
        control.step(PATH + micros(8074), 0, 0);
        assertThat(megabytes(control)).isEqualTo(3);
        control.step(PATH + micros(8075), 0, 0);
        assertThat(megabytes(control)).isEqualTo(2.4, within(1e-9));
    }

    @Test
    void segmentsSentAgainTakeAFifthOfWhoIsFastOnlyIfTheyAreMany() {
        Map<Politeness, Double> most = Map.of(Politeness.POLITE, 0.01, Politeness.FAST, 0.05);
        most.forEach((politeness, share) -> {
            RateControl control = control(1, politeness);
            control.step(PATH, share, 0);
            assertThat(megabytes(control)).isEqualTo(1000);
            control.step(PATH, share + 0.001, 0);
            assertThat(megabytes(control)).isEqualTo(800);
        });
    }

    @Test
    void whoIsFastDoesNotHeedTheQueueAndKeepsHalfOfItsShareAtLosses() {
        RateControl control = control(0.8, Politeness.FAST);
        control.step(QUEUED, 0, 0);
        assertThat(megabytes(control)).isEqualTo(800);
        for (int step = 0; step < 50; step++) {
            control.step(QUEUED, 0.5, 0);
        }
        assertThat(megabytes(control)).isEqualTo(400);
    }

    @Test
    void whoIsPoliteKeepsOneStepSoThatEveryCheckpointEnds() {
        RateControl control = control(0.9, Politeness.POLITE);
        for (int step = 0; step < 50; step++) {
            control.step(QUEUED, 1, 0);
        }
        assertThat(megabytes(control)).isEqualTo(50, within(1e-9));
    }

    @Test
    void withoutAProbeThatCameBackNoRoundTripIsTooLong() {
        RateControl control = new RateControl(new PaceSettings(PORT, PORT, 1, Politeness.POLITE), 0);
        control.step(Duration.ofSeconds(1).toNanos(), 0, 0);
        assertThat(megabytes(control)).isEqualTo(1000);
    }

    @Test
    void aPathThatHasBecomeLongerIsBelievedAfterTenMinutes() {
        BaseRoundTrip base = new BaseRoundTrip(0);
        assertThat(base.nanos(0)).isEqualTo(BaseRoundTrip.UNKNOWN);
        base.seen(micros(100), minutes(0.5));
        for (int minute = 1; minute < 30; minute++) {
            base.seen(micros(900), minutes(minute));
            assertThat(base.nanos(minutes(minute)))
                    .as("after %d minutes", minute)
                    .isEqualTo(minute < 10 ? micros(100) : micros(900));
        }
    }

    @Test
    void whatWasSeenBeforeALongPauseIsForgottenAndTheLeastIsKeptWithoutOne() {
        BaseRoundTrip base = new BaseRoundTrip(0);
        base.seen(micros(300), minutes(3));
        base.seen(micros(200), minutes(3.5));
        base.seen(micros(400), minutes(4));
        assertThat(base.nanos(minutes(12.9))).isEqualTo(micros(200));
        assertThat(base.nanos(minutes(13.1))).isEqualTo(micros(400));
        assertThat(base.nanos(minutes(500))).isEqualTo(BaseRoundTrip.UNKNOWN);
        base.seen(micros(700), minutes(501));
        assertThat(base.nanos(minutes(501))).isEqualTo(micros(700));
    }

    @Test
    void segmentsOfAHostThatWasStartedAnewAreNotCounted() {
        assertThat(new TcpSegments(1100, 30).since(new TcpSegments(100, 10))).isEqualTo(new TcpSegments(1000, 20));
        assertThat(new TcpSegments(50, 1).since(new TcpSegments(100, 0))).isEqualTo(TcpSegments.NONE);
        assertThat(new TcpSegments(980, 20).retransmitShare()).isEqualTo(0.02);
        assertThat(new TcpSegments(3, 1).retransmitShare()).as("one of few").isEqualTo(0.01);
        assertThat(TcpSegments.NONE.retransmitShare()).isZero();
    }

    @Test
    void settingsThatNoNetworkHasAreRefused() {
        assertThatThrownBy(() -> new PaceSettings(0, 1, 1, Politeness.FAST)).hasMessageContaining("more than 0");
        assertThatThrownBy(() -> new PaceSettings(1, 1, 1.1, Politeness.FAST)).hasMessageContaining("share 1.1");
        assertThat(new PaceSettings(1000, 300, 1, Politeness.FAST).floor()).isEqualTo(4);
    }

    @Test
    void aRankIsGrantedToByAsManyNodesAtOnceAsItsLinkDoesNotCarry() {
        assertThat(new PaceSettings(1000, 1000, 0.92, Politeness.FAST).fanOut(16))
                .isEqualTo(16);
        assertThat(new PaceSettings(1000, 1000, 0.5, Politeness.FAST).fanOut(16))
                .isEqualTo(9);
        assertThat(new PaceSettings(1000, 1000, 1, Politeness.FAST).fanOut(1)).isEqualTo(1);
        assertThat(new PaceSettings(1000, 1000, 0.92, Politeness.FAST).fanOut(1))
                .isEqualTo(1);
        assertThat(new PaceSettings(1000, 10_000, 1, Politeness.FAST).fanOut(40))
                .isEqualTo(4);
        assertThat(new PaceSettings(1000, 10_000, 1, Politeness.FAST).fanOut(0)).isEqualTo(1);
    }

    private static double megabytes(RateControl control) {
        return control.bytesPerSecond() / MEGABYTE;
    }

    private static RateControl control(double share, Politeness politeness) {
        RateControl control = new RateControl(new PaceSettings(PORT, PORT, share, politeness), 0);
        control.probed(PATH, 0);
        return control;
    }

    private static long micros(long micros) {
        return Duration.ofNanos(micros * 1000).toNanos();
    }

    private static long minutes(double minutes) {
        return (long) (minutes * 60e9);
    }
}
