// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.distributor.backend.OutlierWatch.Healthy;
import io.albm.distributor.routing.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OutlierWatchTest {
    private static final ProtectionSettings SETTINGS = ProtectionSettings.DEFAULT;

    private final OutlierWatch watch = new OutlierWatch(SETTINGS);
    private final Map<String, Answers> answers = new TreeMap<>();
    private long now = 1_000;

    @Test
    void ejectsWhoFailsInARowAndBringsItBackByTime() {
        backends("a", "b", "c");
        fail("a", SETTINGS.failuresInARow());

        assertThat(look()).containsOnly("a");
        assertThat(after(SETTINGS.ejection().minusMillis(1))).containsOnly("a");
        assertThat(after(Duration.ofMillis(1))).isEmpty();
    }

    @Test
    void aRowThatASuccessInterruptsEjectsNobody() {
        backends("a", "b");
        fail("a", SETTINGS.failuresInARow() - 1);
        succeed("a", 1);
        fail("a", SETTINGS.failuresInARow() - 1);

        assertThat(look()).isEmpty();
    }

    @Test
    void ejectsForTwiceAsLongWhoFailsAgain() {
        backends("a", "b");
        fail("a", SETTINGS.failuresInARow());
        look();
        assertThat(after(SETTINGS.ejection())).isEmpty();
        fail("a", SETTINGS.failuresInARow());
        look();

        assertThat(after(SETTINGS.ejection().multipliedBy(2).minusMillis(1))).containsOnly("a");
        assertThat(after(Duration.ofMillis(1))).isEmpty();
    }

    @Test
    void forgetsEarlierEjectionsOfWhoServesWellForLong() {
        backends("a", "b");
        fail("a", SETTINGS.failuresInARow());
        look();
        after(SETTINGS.ejection());
        after(SETTINGS.maxEjection());
        fail("a", SETTINGS.failuresInARow());
        look();

        assertThat(after(SETTINGS.ejection())).isEmpty();
    }

    @Test
    void noEjectionIsLongerThanTheLongest() {
        backends("a", "b");
        for (int time = 0; time < 40; time++) {
            fail("a", SETTINGS.failuresInARow());
            look();
            assertThat(after(SETTINGS.maxEjection())).isEmpty();
        }
    }

    @Test
    void ejectsWhoFailsMoreThanTwiceAsOftenAsTheOthers() {
        backends("a", "b", "c");
        look();
        mix("a", 60, 40);
        mix("b", 90, 10);
        mix("c", 90, 10);

        assertThat(look()).containsOnly("a");
    }

    @Test
    void whenAllFailAlikeNobodyIsAnOutlier() {
        backends("a", "b", "c", "d");
        look();
        answers.keySet().forEach(id -> mix(id, 50, 50));

        assertThat(look()).isEmpty();
    }

    @Test
    void fewRequestsProveNoRatio() {
        backends("a", "b");
        look();
        mix("a", (SETTINGS.minRequests() - 1) / 2, (SETTINGS.minRequests() - 1) / 2);
        mix("b", 1_000, 0);

        assertThat(look()).isEmpty();
    }

    /** As after a time in which all were overloaded: what others have forgotten is no reason to take out who has recovered, too. */
    @Test
    void failuresThatAreOverEjectNobody() {
        backends("a", "b", "c");
        look();
        mix("a", 60, 40);
        mix("b", 70, 30);
        mix("c", 70, 30);
        assertThat(look()).isEmpty();
        after(SETTINGS.window().dividedBy(4));
        mix("b", 400, 0);
        mix("c", 400, 0);
        mix("a", 10, 0);
        assertThat(after(SETTINGS.window().dividedBy(4))).isEmpty();

        mix("a", 2, 8);
        assertThat(look()).containsOnly("a");
    }

    @Test
    void failuresBeforeTheWindowAreForgotten() {
        backends("a", "b");
        look();
        mix("a", 1, 4);
        mix("b", 100, 0);
        after(SETTINGS.window().plusSeconds(1));
        after(SETTINGS.window().plusSeconds(1));
        mix("a", SETTINGS.minRequests() * 2, 0);

        assertThat(look()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "2, 1", "3, 1", "4, 1", "7, 2", "10, 3"})
    void neverEjectsMoreThanTheShareAndOneOfTwoOrMore(int backends, int ejected) {
        for (int i = 0; i < backends; i++) {
            answers.put("b" + i, new Answers());
            fail("b" + i, SETTINGS.failuresInARow() + i);
        }

        assertThat(look()).hasSize(ejected);
    }

    @Test
    void aShareOfZeroEjectsNobody() {
        backends("a", "b");
        fail("a", 100);
        var none = new OutlierWatch(new ProtectionSettings(
                1, 0.1, 1, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(1), 0, 0, Duration.ZERO));

        assertThat(none.observe(healthy(), answers.keySet(), now)).isEmpty();
    }

    @Test
    void whenOthersDieTheOneThatWasOutLongestComesBack() {
        backends("a", "b", "c", "d", "e", "f", "g");
        fail("a", SETTINGS.failuresInARow());
        look();
        after(Duration.ofSeconds(1));
        fail("b", SETTINGS.failuresInARow());
        assertThat(look()).containsOnly("a", "b");
        Set<String> known = new HashSet<>(answers.keySet());
        answers.keySet().removeAll(List.of("d", "e", "f", "g"));

        assertThat(watch.observe(healthy(), known, now)).containsOnlyKeys("b");
    }

    @Test
    void whatFailedWhenABackendDiedIsForgottenWhenItIsUpAgain() {
        backends("a", "b", "c");
        look();
        mix("a", 100, 0);
        Set<String> known = Set.copyOf(answers.keySet());
        fail("a", 53);
        List<Healthy> others =
                healthy().stream().filter(backend -> !backend.id().equals("a")).toList();
        assertThat(watch.observe(others, known, now)).isEmpty();

        assertThat(after(Duration.ofSeconds(1))).isEmpty();
        fail("a", SETTINGS.failuresInARow());
        assertThat(look()).containsOnly("a");
    }

    @Test
    void whatWasInFlightAtAnEjectionEjectsNobodyASecondTime() {
        backends("a", "b");
        fail("a", SETTINGS.failuresInARow());
        look();
        fail("a", 45);

        assertThat(after(SETTINGS.ejection())).isEmpty();
        assertThat(after(Duration.ofMillis(10))).isEmpty();
    }

    private void backends(String... ids) {
        for (String id : ids) {
            answers.put(id, new Answers());
        }
    }

    private void fail(String id, int times) {
        count(id, Outcome.FAILED, times);
    }

    private void succeed(String id, int times) {
        count(id, Outcome.ANSWERED, times);
    }

    /** Ends with a success, so that no row is left. */
    private void mix(String id, int good, int bad) {
        count(id, Outcome.ERRORED, bad);
        succeed(id, good);
    }

    private void count(String id, Outcome outcome, int times) {
        for (int i = 0; i < times; i++) {
            Objects.requireNonNull(answers.get(id)).count(outcome);
        }
    }

    private List<Healthy> healthy() {
        List<Healthy> healthy = new ArrayList<>();
        answers.forEach((id, counted) -> healthy.add(new Healthy(id, counted)));
        return healthy;
    }

    private Set<String> look() {
        return watch.observe(healthy(), answers.keySet(), now).keySet();
    }

    private Set<String> after(Duration time) {
        now += time.toNanos();
        return look();
    }
}
