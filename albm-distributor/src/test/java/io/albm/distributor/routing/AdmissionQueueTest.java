// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.distributor.routing.AdmissionQueue.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class AdmissionQueueTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    private final AdmissionQueue<String> queue = new AdmissionQueue<>(2, 10, TIMEOUT);
    private final List<String> admitted = new ArrayList<>();
    private final List<String> timedOut = new ArrayList<>();

    @Test
    void admitsByPriorityThenByAge() {
        offer("late-first", 1, 0);
        offer("a", 0, 1);
        offer("b", 0, 2);
        turn(3, _ -> true);

        assertThat(admitted).containsExactly("a", "b", "late-first");
        assertThat(queue.size()).isZero();
    }

    @Test
    void aRequestThatFindsNoRoomKeepsItsPlaceAndLetsSmallerOnesPass() {
        offer("large", 0, 0);
        offer("small", 0, 1);
        turn(2, "small"::equals);
        assertThat(admitted).containsExactly("small");

        offer("small-again", 0, 3);
        turn(4, _ -> true);
        assertThat(admitted).containsExactly("small", "large", "small-again");
    }

    @Test
    void asksOnlyForAFewWhenThereIsNoRoom() {
        for (int i = 0; i < 10; i++) {
            offer("r" + i, 0, i);
        }
        var asked = new ArrayList<String>();
        turn(20, request -> !asked.add(request));

        assertThat(asked).containsExactly("r0", "r1", "r2", "r3");
    }

    @Test
    void whoIsPassedOverHoldsNobodyUp() {
        for (int i = 0; i < 10; i++) {
            offer("r" + i, 0, i);
        }
        queue.turn(20, request -> request.equals("r9") ? admit(request) : Verdict.PASSED_OVER, timedOut::add);

        assertThat(admitted).containsExactly("r9");
        assertThat(queue.size()).isEqualTo(9);
    }

    @Test
    void asksForNobodyOnceNobodyMayGo() {
        for (int i = 0; i < 10; i++) {
            offer("r" + i, i % 2, i);
        }
        var asked = new ArrayList<String>();
        queue.turn(20, request -> asked.add(request) ? Verdict.ENDS_TURN : Verdict.GOES, timedOut::add);

        assertThat(asked).containsExactly("r0");
        assertThat(queue.size()).isEqualTo(10);
    }

    private Verdict admit(String request) {
        admitted.add(request);
        return Verdict.GOES;
    }

    @Test
    void refusesBeyondItsCapacityOverAllClasses() {
        for (int i = 0; i < 10; i++) {
            assertThat(offer("r" + i, i % 2, 0)).isTrue();
        }

        assertThat(offer("one-more", 0, 0)).isFalse();
    }

    @Test
    void givesUpWhoHasWaitedTooLongBeforeItAdmits() {
        offer("old", 0, 0);
        offer("young", 0, 1);
        turn(TIMEOUT.toNanos(), _ -> true);

        assertThat(timedOut).containsExactly("old");
        assertThat(admitted).containsExactly("young");
        assertThat(queue.size()).isZero();
    }

    @Test
    void whoComesFromAnotherQueueKeepsHisAge() {
        offer("first", 1, 10);
        offer("last", 1, 30);
        offer("moved", 1, 20);
        assertThat(queue.firstClass()).isEqualTo(1);
        turn(31, _ -> true);

        assertThat(admitted).containsExactly("first", "moved", "last");
        assertThat(queue.firstClass()).isEqualTo(2);
    }

    @Test
    void forgetsWhoWentAway() {
        offer("a", 0, 0);
        offer("b", 1, 0);

        assertThat(queue.remove("b")).isTrue();
        assertThat(queue.remove("b")).isFalse();
        assertThat(queue.size()).isEqualTo(1);
    }

    @Test
    void refusesSettingsThatMakeNoSense() {
        assertThatThrownBy(() -> new AdmissionQueue<String>(0, 10, TIMEOUT))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("0 classes");
    }

    private boolean offer(String request, int priority, long nowNanos) {
        return queue.offer(request, priority, nowNanos);
    }

    private void turn(long nowNanos, Predicate<String> admit) {
        queue.turn(nowNanos, request -> admit.test(request) ? admit(request) : Verdict.REFUSED, timedOut::add);
    }
}
