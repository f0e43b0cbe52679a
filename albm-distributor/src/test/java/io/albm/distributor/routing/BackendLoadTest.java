// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BackendLoadTest {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();
    private static final long MILLI = Duration.ofMillis(1).toNanos();

    private final BackendLoad load = new BackendLoad();
    private final RouteCosts costs = new RouteCosts();

    @Test
    void knowsWhatWasInFlightWhenTheLastReportCame() {
        for (int i = 0; i < 100; i++) {
            costs.learn(1, 5);
        }
        long first = load.began(1, 5);
        load.reported(costs);
        load.began(2, 7);
        assertThat(load.heldAtReport()).isEqualTo(new BackendLoad.Held(5, 0, 0));
        assertThat(load.costInFlight()).isEqualTo(12);

        load.ended(first, Outcome.ANSWERED, MILLI, SECOND);
        assertThat(load.costInFlight()).isEqualTo(7);
        assertThat(load.inFlight(1)).isZero();
        assertThat(load.inFlight(2)).isEqualTo(1);
    }

    @Test
    void requestsThatWereSentBeforeTheirCostWasKnownHoldItAllTheSame() {
        load.began(1, RouteCosts.UNKNOWN);
        load.began(1, RouteCosts.UNKNOWN);
        load.reported(costs);
        assertThat(load.heldAtReport()).isEqualTo(new BackendLoad.Held(0, 0, 0));

        for (int i = 0; i < 100; i++) {
            costs.learn(1, 5);
        }
        load.began(1, 5);
        load.reported(costs);
        assertThat(load.heldAtReport()).isEqualTo(new BackendLoad.Held(15, 10, 10));

        load.reported(costs);
        assertThat(load.heldAtReport()).isEqualTo(new BackendLoad.Held(15, 10, 10));
    }

    @Test
    void requestsThatWereSentWithACostKeepItWhateverBecomesKnown() {
        load.began(1, 5);
        load.reported(costs);
        for (int i = 0; i < 100; i++) {
            costs.learn(1, 8);
        }
        load.reported(costs);

        assertThat(load.heldAtReport()).isEqualTo(new BackendLoad.Held(5, 0, 0));
    }

    @Test
    void aRouteBeyondTheLastCountsAsTheDefault() {
        long ticket = load.began(RouteCosts.MAX_ROUTES, Long.MAX_VALUE);
        assertThat(load.inFlight(RoutedRequest.DEFAULT_ROUTE)).isEqualTo(1);

        load.ended(ticket, Outcome.ANSWERED, MILLI, SECOND);
        assertThat(load.costInFlight()).isZero();
        assertThat(load.inFlight(RoutedRequest.DEFAULT_ROUTE)).isZero();
    }

    @Test
    void reservationsReturnToZeroUnderManyThreadsAndReports() throws InterruptedException {
        List<Thread> loops = IntStream.range(0, 4)
                .mapToObj(seed -> Thread.ofPlatform().start(() -> sendAndEnd(seed)))
                .toList();
        for (int i = 0; i < 100_000; i++) {
            load.reported(costs);
        }
        for (Thread loop : loops) {
            loop.join();
        }

        assertThat(load.inFlight()).isZero();
        assertThat(load.costInFlight()).isZero();
        for (int route = 0; route < 4; route++) {
            assertThat(load.inFlight(route)).isZero();
        }
    }

    private void sendAndEnd(int seed) {
        var random = new SplittableRandom(seed);
        var tickets = new ArrayList<Long>();
        for (int i = 0; i < 50_000; i++) {
            tickets.add(load.began(random.nextInt(4), random.nextInt(100)));
            if (tickets.size() > 10) {
                load.ended(tickets.removeFirst(), Outcome.ANSWERED, MILLI, SECOND);
            }
        }
        tickets.forEach(ticket -> load.ended(ticket, Outcome.ABANDONED, 0, SECOND));
    }

    @Test
    void peakLatencyBelievesBadNewsAtOnceAndForgetsIt() {
        load.ended(load.began(0, 0), Outcome.ANSWERED, 10 * MILLI, SECOND);
        load.ended(load.began(0, 0), Outcome.ANSWERED, 500 * MILLI, SECOND);
        assertThat(load.peakLatencyNanos(SECOND)).isCloseTo(500.0 * MILLI, within(0.01 * 500 * MILLI));
        assertThat(load.latencyNanos(SECOND)).isLessThan(20.0 * MILLI);

        assertThat(load.peakLatencyNanos(61 * SECOND)).isLessThan(2.0 * MILLI);
    }

    @Test
    void aFailureIsRememberedForAWhile() {
        assertThat(load.failedWithin(SECOND, 0)).isFalse();
        load.ended(load.began(0, 0), Outcome.FAILED, 0, SECOND);

        assertThat(load.failedWithin(SECOND, 2 * SECOND)).isTrue();
        assertThat(load.failedWithin(SECOND, 2 * SECOND + 1)).isFalse();
    }

    @Test
    void neverCountsMoreThanTheLimitHoweverManyThreadsAsk() throws InterruptedException {
        load.limitTo(3);
        var admitted = new AtomicInteger();
        List<Thread> threads = IntStream.range(0, 8)
                .mapToObj(_ -> Thread.ofPlatform().start(() -> {
                    for (int i = 0; i < 1_000; i++) {
                        admitted.addAndGet(load.began(0, 0) == BackendLoad.FULL ? 0 : 1);
                    }
                }))
                .toList();
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(admitted).hasValue(3);
        assertThat(load.isFull()).isTrue();
        load.limitTo(4);
        assertThat(load.isFull()).isFalse();
    }
}
