// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SchedulingWindowTest {

    private final SchedulingWindow<String> window = new SchedulingWindow<>(3);

    @Test
    void numbersRequestsByArrival() {
        assertThat(window.enter("a").arrival()).isZero();
        assertThat(window.enter("b").arrival()).isEqualTo(1);
        assertThat(window.arrivals()).isEqualTo(2);
    }

    @Test
    void knowsTheOldestWaitingRequestOfEachDocument() {
        SchedulingWindow.Ticket<String> first = window.enter("a");
        window.enter("b");
        window.enter("a");

        assertThat(window.nextArrival("a")).isZero();
        window.leave(first);
        assertThat(window.nextArrival("a")).isEqualTo(2);
        assertThat(window.nextArrival("c")).isEqualTo(-1);
    }

    @Test
    void letsRequestsBeyondItsLimitRunUncounted() {
        for (int i = 0; i < 3; i++) {
            assertThat(window.enter("a").isCounted()).isTrue();
        }
        SchedulingWindow.Ticket<String> beyond = window.enter("b");

        assertThat(beyond.isCounted()).isFalse();
        assertThat(window.occupancy()).isEqualTo(3);
        assertThat(window.pending("b")).isZero();
        window.leave(beyond);
        assertThat(window.occupancy()).isEqualTo(3);
    }

    @Test
    void aRequestThatIsAnsweredAtOnceCountsAsAnArrivalOnly() {
        window.pass("a");

        assertThat(window.arrivals()).isEqualTo(1);
        assertThat(window.occupancy()).isZero();
        assertThat(window.pending("a")).isZero();
    }

    @Test
    void announcedRequestsStandApartUntilTheyCome() {
        SchedulingWindow<String> wide = new SchedulingWindow<>(3, 2);
        assertThat(wide.announce("a", 0)).isTrue();
        assertThat(wide.announce("b", 0)).isTrue();

        assertThat(wide.announced()).isEqualTo(2);
        assertThat(wide.occupancy()).isZero();
        assertThat(wide.nextArrival("a")).isEqualTo(-1);
        assertThat(wide.announcedDistance("a")).isFinite();
        wide.enter("a");
        wide.pass("b");
        assertThat(wide.announced()).isZero();
        assertThat(wide.announcedDistance("a")).isInfinite();
        assertThat(wide.nextArrival("a")).isZero();
    }

    @Test
    void heedsNoAnnouncementUnlessThereIsRoomForOne() {
        assertThat(window.announce("a", 0)).isFalse();
        assertThat(window.announced()).isZero();
        assertThat(window.announcedDistance("a")).isInfinite();
    }

    @Test
    void refusesATicketThatLeftBefore() {
        SchedulingWindow.Ticket<String> ticket = window.enter("a");
        window.leave(ticket);

        assertThatThrownBy(() -> window.leave(ticket)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void agreesWithAListUnderRandomArrivalsAndDepartures() {
        long seed = 20_250_101;
        Random random = new Random(seed);
        SchedulingWindow<Integer> subject = new SchedulingWindow<>(40);
        List<Waiting> model = new ArrayList<>();
        for (int step = 0; step < 20_000; step++) {
            if (model.isEmpty() || random.nextInt(100) < 52) {
                int key = random.nextInt(12);
                model.add(new Waiting(key, subject.enter(key)));
            } else {
                subject.leave(model.remove(random.nextInt(model.size())).ticket());
            }
            assertSame(subject, model, random.nextInt(12));
        }
    }

    private static void assertSame(SchedulingWindow<Integer> subject, List<Waiting> model, int key) {
        List<Waiting> counted =
                model.stream().filter(waiting -> waiting.ticket().isCounted()).toList();
        List<Waiting> same =
                counted.stream().filter(waiting -> waiting.key() == key).toList();
        assertThat(subject.occupancy()).isEqualTo(counted.size()).isLessThanOrEqualTo(subject.limit());
        assertThat(subject.pending(key)).isEqualTo(same.size());
        assertThat(subject.nextArrival(key))
                .isEqualTo(same.isEmpty() ? -1 : same.getFirst().ticket().arrival());
    }

    private record Waiting(int key, SchedulingWindow.Ticket<Integer> ticket) {}
}
