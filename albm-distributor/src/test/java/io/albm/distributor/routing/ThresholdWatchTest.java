// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import static io.albm.distributor.routing.Views.RELIEVED;
import static io.albm.distributor.routing.Views.SERVING;
import static io.albm.distributor.routing.Views.backend;
import static io.albm.distributor.routing.Views.idle;
import static io.albm.distributor.routing.Views.reported;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.albm.core.node.Counter;
import io.albm.core.node.CounterSample;
import io.albm.core.node.Threshold;
import io.albm.core.node.Thresholds;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThresholdWatchTest {
    private static final Duration PERIOD = Duration.ofMillis(250);
    private static final Duration TIME_OUT = Duration.ofSeconds(2);

    private final Views views =
            new Views(new ReliefSettings(Thresholds.OF_PAPER, 3, PERIOD, TIME_OUT, 0.5, Duration.ofSeconds(10)));
    private final ThresholdWatch watch = new ThresholdWatch();

    @Test
    void relievesBackendWhileAvailableMemoryIsBelowThreshold() {
        observe(3, 99, 400, 400, 400);

        assertThat(watch.relieved()).containsOnlyKeys("b0");
        assertThat(watch.weight("b0", views.memory(99, 400, 400, 400))).isZero();
    }

    @Test
    void needsSamplesInARow() {
        observe(2, 99, 400);
        observe(1, 101, 400);
        observe(2, 99, 400);
        assertThat(watch.relieved()).isEmpty();

        observe(1, 99, 400);
        assertThat(watch.relieved()).containsOnlyKeys("b0");
    }

    @Test
    void countsAReportThatStandsOncePerPeriodHoweverOftenItLooks() {
        List<BackendView> standing =
                List.of(reported("b0", views.report(50, SERVING)), reported("b1", views.report(400, SERVING)));
        for (int i = 0; i < 100; i++) {
            watch.observe(views.of(standing));
        }
        assertThat(watch.relieved()).isEmpty();

        watch.observe(views.advance(PERIOD).of(standing));
        watch.observe(views.advance(PERIOD).of(standing));
        assertThat(watch.relieved()).containsOnlyKeys("b0");
    }

    @Test
    void staysOutBetweenTheLevels() {
        observe(3, 99, 400);
        views.advance(TIME_OUT);
        observe(20, 120, 400);

        assertThat(watch.relieved()).containsOnlyKeys("b0");
    }

    @Test
    void staysOutForTheMinimumTime() {
        observe(3, 99, 400);
        observe(7, 400, 400);
        assertThat(watch.relieved()).containsOnlyKeys("b0");

        observe(1, 400, 400);
        assertThat(watch.relieved()).isEmpty();
    }

    @Test
    void comesBackWithAShareThatGrowsEvenly() {
        observe(3, 99, 400);
        views.advance(TIME_OUT);
        observe(3, 400, 400);

        assertThat(weight(0)).isCloseTo(0.1, within(0.001));
        views.advance(Duration.ofSeconds(5));
        assertThat(weight(0)).isCloseTo(0.5, within(0.001));
        views.advance(Duration.ofSeconds(5));
        assertThat(weight(0)).isEqualTo(1);
    }

    @Test
    void relievesAReturningBackendThatIsShortAgain() {
        observe(3, 99, 400);
        views.advance(TIME_OUT);
        observe(3, 400, 400);
        observe(3, 99, 400);

        assertThat(watch.relieved()).containsOnlyKeys("b0");
    }

    @Test
    void neverTakesOutTheOnlyBackend() {
        observe(10, 1);

        assertThat(watch.relieved()).isEmpty();
    }

    @Test
    void takesOutAtMostItsShareAndTheShortestFirst() {
        observe(10, 50, 40);
        assertThat(watch.relieved()).containsOnlyKeys("b1");

        var three = new ThresholdWatch();
        var four = new ThresholdWatch();
        for (int i = 0; i < 10; i++) {
            three.observe(views.advance(PERIOD).memory(50, 40, 30));
            four.observe(views.memory(50, 40, 30, 20));
        }
        assertThat(three.relieved()).containsOnlyKeys("b2");
        assertThat(four.relieved()).containsOnlyKeys("b2", "b3");
    }

    @Test
    void keepsOneServingEvenIfTheShareIsAll() {
        var all = new Views(new ReliefSettings(Thresholds.OF_PAPER, 1, PERIOD, TIME_OUT, 1, Duration.ZERO));
        watch.observe(all.memory(30, 20, 10));

        assertThat(watch.relieved()).containsOnlyKeys("b1", "b2");
    }

    @Test
    void callsTheLeastShortBackWhenTheShareShrinks() {
        observe(3, 50, 40, 400, 400);
        assertThat(watch.relieved()).containsOnlyKeys("b0", "b1");

        watch.observe(views.of(List.of(
                reported("b0", views.report(50, SERVING)),
                reported("b1", views.report(40, SERVING)),
                reported("b2", views.report(400, SERVING)),
                backend("b3", false, new BackendLoad(), null))));

        assertThat(watch.relieved()).containsOnlyKeys("b1");
    }

    @Test
    void bringsBackABackendWhoseAgentFellSilent() {
        observe(3, 99, 400);
        watch.observe(views.of(List.of(idle("b0"), idle("b1"))));

        assertThat(watch.relieved()).isEmpty();
        assertThat(weight(0)).isEqualTo(0.1);
    }

    @Test
    void believesAnAgentThatSaysItsHostIsRelieved() {
        for (int i = 0; i < 3; i++) {
            watch.observe(views.of(List.of(
                    reported("b0", views.report(4000, RELIEVED)), reported("b1", views.report(4000, SERVING)))));
        }

        assertThat(watch.relieved().get("b0")).extracting("counter").isEqualTo("run-queue");
    }

    @Test
    void forgetsABackendThatIsGone() {
        observe(3, 99, 400);
        watch.observe(views.of(List.of(idle("b1"))));

        assertThat(watch.relieved()).isEmpty();
    }

    @Test
    void relievesBackendThatIsShortOfAnyCounterAndTellsWhich() {
        ThresholdWatch both = new ThresholdWatch();
        Views two = views(new Threshold(Counter.MEMORY_PRESSURE, 0.3, 0.1));
        observe(both, two, 3, memory(400).with(Counter.MEMORY_PRESSURE, 0.5), memory(400));

        assertThat(both.relieved()).containsOnlyKeys("b0");
        assertThat(both.relieved().get("b0")).extracting("counter", "value").containsExactly("memory-pressure", 0.5);
    }

    @Test
    void recoversOnlyWhenItHasEnoughOfAllCounters() {
        ThresholdWatch both = new ThresholdWatch();
        Views two = views(new Threshold(Counter.MEMORY_PRESSURE, 0.3, 0.1));
        observe(both, two, 3, memory(400).with(Counter.MEMORY_PRESSURE, 0.5), memory(400));
        two.advance(TIME_OUT);
        observe(both, two, 10, memory(120).with(Counter.MEMORY_PRESSURE, 0), memory(400));
        assertThat(both.relieved()).containsOnlyKeys("b0");

        observe(both, two, 3, memory(400).with(Counter.MEMORY_PRESSURE, 0), memory(400));
        assertThat(both.relieved()).isEmpty();
    }

    @Test
    void aCounterThatTheHostDoesNotHaveSaysNothing() {
        ThresholdWatch both = new ThresholdWatch();
        Views two = views(new Threshold(Counter.MEMORY_PRESSURE, 0.3, 0.1));
        observe(both, two, 10, memory(400), memory(400));

        assertThat(both.relieved()).isEmpty();
    }

    @Test
    void theOneFurthestBeyondItsLevelGoesFirstWhateverTheCounter() {
        ThresholdWatch both = new ThresholdWatch();
        Views two = views(new Threshold(Counter.MEMORY_PRESSURE, 0.3, 0.1));
        observe(both, two, 10, memory(95), memory(400).with(Counter.MEMORY_PRESSURE, 0.9));

        assertThat(both.relieved()).containsOnlyKeys("b1");
    }

    @Test
    void levelsThatNoLongerMakeABackendShortRelieveNobody() {
        observe(10, 50);
        RoutingView two = views.memory(50, 400);
        List<BackendView> standing =
                List.of(two.backends().getFirst(), two.backends().getLast());
        watch.observe(new RoutingView(
                standing,
                ReliefSettings.DEFAULT.with(Thresholds.of()),
                two.costs(),
                two.distributors(),
                two.nowNanos()));

        assertThat(watch.relieved()).isEmpty();
    }

    private static Views views(Threshold more) {
        return new Views(
                new ReliefSettings(Thresholds.OF_PAPER.with(more), 3, PERIOD, TIME_OUT, 0.5, Duration.ofSeconds(10)));
    }

    private static CounterSample memory(long mebibytes) {
        return new CounterSample(mebibytes * Views.MIB, 0, 0, 0, 0, 0);
    }

    private static void observe(ThresholdWatch watch, Views views, int samples, CounterSample... hosts) {
        for (int i = 0; i < samples; i++) {
            watch.observe(views.advance(PERIOD).samples(hosts));
        }
    }

    private void observe(int samples, long... mebibytes) {
        for (int i = 0; i < samples; i++) {
            watch.observe(views.advance(PERIOD).memory(mebibytes));
        }
    }

    private double weight(int index) {
        return watch.weight("b" + index, views.of(List.of()));
    }
}
