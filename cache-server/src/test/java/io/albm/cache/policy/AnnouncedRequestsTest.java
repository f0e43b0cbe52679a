// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AnnouncedRequestsTest {

    private static final int LIMIT = 100;

    private final AnnouncedRequests<String> announced = new AnnouncedRequests<>(LIMIT);

    private double distance(String key, long arrivals) {
        return announced.distance(key, arrivals, 0);
    }

    /** Announces requests of which one in so many comes, each after as many others. */
    private long learn(int oneIn, int delay) {
        long arrivals = 0;
        Deque<Integer> line = new ArrayDeque<>();
        for (int number = 0; number < 3000; number++) {
            announced.add("learned-" + number, arrivals, 0);
            if (number % oneIn == 0) {
                line.add(number);
            }
            if (number % oneIn == 0 && line.size() > delay) {
                announced.arrived("learned-" + line.remove(), arrivals++);
            }
            announced.expire(arrivals, 0);
        }
        return arrivals;
    }

    @Test
    void whatWasNotAnnouncedIsInfinitelyFarAway() {
        announced.add("a", 0, 0);

        assertThat(distance("b", 0)).isInfinite();
        assertThat(distance("a", 0)).isFinite();
    }

    @Test
    void learnsHowFarAwayAnnouncedRequestsAre() {
        long arrivals = learn(1, 20);

        announced.add("a", arrivals, 0);

        assertThat(distance("a", arrivals)).isCloseTo(20, within(1.0));
        assertThat(distance("a", arrivals + 15)).isCloseTo(5, within(1.0));
        assertThat(announced.distance("a", arrivals + 15, 7)).isCloseTo(12, within(1.0));
    }

    @Test
    void oneThatComesSeldomIsFartherAwayByAsMuch() {
        long arrivals = learn(4, 5);

        announced.add("a", arrivals, 0);

        assertThat(distance("a", arrivals)).isCloseTo(4 * 5, within(5.0));
    }

    @Test
    void announcementsThatComeToNothingCountForNothing() {
        for (int number = 0; number < 1000; number++) {
            announced.add("lie-" + number, number, 0);
        }
        announced.add("a", 1000, 0);

        assertThat(distance("a", 1000)).isGreaterThan(10_000);
    }

    @Test
    void anOverdueRequestIsBelievedTheLessTheLongerItIs() {
        long arrivals = learn(1, 20);
        announced.add("a", arrivals, 0);

        assertThat(distance("a", arrivals + 40)).isGreaterThan(distance("a", arrivals + 25));
        announced.expire(arrivals + 90, 0);
        assertThat(distance("a", arrivals + 90)).isInfinite();
    }

    @Test
    void theNextRequestForADocumentEndsTheOldestAnnouncementOfIt() {
        announced.add("a", 0, 0);
        announced.add("a", 1, 0);
        announced.add("b", 2, 0);

        announced.arrived("a", 3);
        assertThat(announced.waiting()).isEqualTo(2);
        assertThat(distance("a", 3)).isFinite();
        announced.arrived("a", 4);
        assertThat(distance("a", 4)).isInfinite();
        announced.arrived("a", 5);
        assertThat(announced.waiting()).isEqualTo(1);
    }

    @Test
    void anAnnouncementEndsAfterSeconds() {
        long late = AnnouncedRequests.BELIEVED.plus(Duration.ofNanos(1)).toNanos();
        announced.add("a", 0, 0);
        announced.add("b", 0, 1);

        announced.expire(0, late);

        assertThat(announced.waiting()).isEqualTo(1);
        assertThat(distance("a", 0)).isInfinite();
        assertThat(distance("b", 0)).isFinite();
    }

    @Test
    void theOldestGivesWayWhereThereIsRoomForNoMore() {
        for (int number = 0; number <= LIMIT; number++) {
            announced.add("a-" + number, 0, 0);
        }

        assertThat(announced.waiting()).isEqualTo(LIMIT);
        assertThat(distance("a-0", 0)).isInfinite();
        assertThat(distance("a-1", 0)).isFinite();
    }

    @Test
    void refusesALimitBelowZero() {
        assertThatThrownBy(() -> new AnnouncedRequests<>(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void agreesWithAListUnderRandomAnnouncementsAndArrivals() {
        Random random = new Random(20_261_122);
        Deque<String> model = new ArrayDeque<>();
        for (int step = 0; step < 20_000; step++) {
            String key = "k" + random.nextInt(30);
            if (random.nextBoolean()) {
                announced.add(key, 0, 0);
                model.add(key);
            } else {
                announced.arrived(key, 0);
                model.removeFirstOccurrence(key);
            }
            assertThat(announced.waiting()).isLessThanOrEqualTo(LIMIT);
            if (model.size() < LIMIT / 4) {
                assertThat(Double.isFinite(distance(key, 0))).isEqualTo(model.contains(key));
            } else {
                model.forEach(waiting -> announced.arrived(waiting, 0));
                model.clear();
                assertThat(announced.waiting()).isZero();
            }
        }
    }
}
