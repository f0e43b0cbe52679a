// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collection;
import java.util.List;
import java.util.NavigableSet;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RetentionTest {
    private static final int CASES = 5000;

    @Test
    void keepsTheNewestEveryMthAndThePinned() {
        Marks marks = Marks.NONE.pin(3).pin(7);
        assertThat(new Retention(2, 5).victims(numbers(1, 12), marks)).containsExactly(1L, 2L, 4L, 6L, 8L, 9L);
    }

    @Test
    void whatAnotherPastHasLeftDoesNotCountAsNewer() {
        Marks marks = Marks.NONE.goBackTo(4, 8);
        assertThat(new Retention(2, 0).victims(numbers(1, 8), marks))
                .as("8 is the first since")
                .containsExactly(1L, 2L, 3L);
        assertThat(new Retention(2, 0).victims(numbers(1, 9), marks)).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    }

    @Test
    void everyVictimHasEnoughNewerOnesThatStayAndNothingElseGoes() {
        SplittableRandom random = new SplittableRandom(11);
        for (int i = 0; i < CASES; i++) {
            SortedSet<Long> committed = some(random, numbers(1, random.nextLong(1, 40)));
            Marks marks = marks(random, committed);
            Retention retention = new Retention(random.nextInt(1, 6), random.nextInt(0, 8));
            SortedSet<Long> victims = retention.victims(committed, marks);
            assertThat(committed)
                    .as("%s of %s with %s", retention, committed, marks)
                    .containsAll(victims);
            for (long number : committed) {
                boolean kept = marks.pinned().contains(number)
                        || (retention.keepEvery() > 0 && number % retention.keepEvery() == 0)
                        || number == newestOfTheChainBefore(committed);
                long replaced = committed.stream()
                        .filter(newer -> newer > number && !marks.hasAbandoned(newer))
                        .count();
                assertThat(victims.contains(number))
                        .as("%d by %s of %s with %s", number, retention, committed, marks)
                        .isEqualTo(!kept && replaced >= retention.keep());
            }
            assertThat(retention.victims(rest(committed, victims), marks))
                    .as("what stays, stays")
                    .isEmpty();
        }
    }

    @Test
    void goingBackLeavesAllThatIsNewerAndTakesUpAPastThatIsChosen() {
        Marks back = Marks.NONE.goBackTo(5, 11);
        assertThat(abandoned(back, 12)).containsExactly(6L, 7L, 8L, 9L, 10L);
        assertThat(abandoned(back.goBackTo(8, 13), 13))
                .as("a point of the past left")
                .containsExactly(9L, 10L, 11L, 12L);
        assertThat(abandoned(back.goBackTo(12, 14), 14)).containsExactly(6L, 7L, 8L, 9L, 10L, 13L);
        assertThat(abandoned(back.goBackTo(2, 14), 14)).hasSize(11);
    }

    @Test
    void refusesEndlesslyManyPins() {
        assertThatThrownBy(() -> new Marks(numbers(1, 1001), List.of())).hasMessageContaining("unpin some");
    }

    @Test
    void keepsTheNewestOfTheChainBefore() {
        assertThat(victims(5, 6, 7, 8, 9, 10)).containsExactly(5L, 6L, 8L);
        assertThat(victims(7, 9, 10, 11)).containsExactly(9L);
    }

    @Test
    void keepsNoMoreWhileTheNewestAreOfTwoChains() {
        assertThat(victims(5, 6, 7, 8)).containsExactly(5L, 6L);
    }

    @Test
    void lastChainButOneGoesOnceTheLastHasOneToFallBackTo() {
        assertThat(victims(7, 14, 15, 16)).containsExactly(7L, 14L);
    }

    @Test
    void theFirstOfAChainHasNoBase() {
        SortedSet<Long> committed = new TreeSet<>(List.of(6L, 7L));
        assertThat(Chains.baseOf(8, committed)).isZero();
        committed.add(9L);
        assertThat(Chains.baseOf(11, committed)).isEqualTo(9);
        assertThat(Chains.baseOf(1, new TreeSet<>())).isZero();
    }

    private static Marks marks(SplittableRandom random, Collection<Long> committed) {
        Marks marks = new Marks(some(random, committed), List.of());
        for (int i = random.nextInt(3); i > 0; i--) {
            marks = marks.goBackTo(random.nextLong(1, 20), random.nextLong(20, 41));
        }
        return marks;
    }

    private static long newestOfTheChainBefore(SortedSet<Long> committed) {
        long newest = committed.last();
        return committed.stream()
                .filter(number -> !Chains.isSame(number, newest))
                .mapToLong(Long::longValue)
                .max()
                .orElse(0);
    }

    private static List<Long> abandoned(Marks marks, long below) {
        return numbers(1, below - 1).stream().filter(marks::hasAbandoned).toList();
    }

    private static SortedSet<Long> rest(SortedSet<Long> all, SortedSet<Long> without) {
        SortedSet<Long> rest = new TreeSet<>(all);
        rest.removeAll(without);
        return rest;
    }

    private static SortedSet<Long> some(SplittableRandom random, Collection<Long> all) {
        SortedSet<Long> some = new TreeSet<>(all);
        some.removeIf(number -> random.nextInt(3) == 0);
        return some;
    }

    private static NavigableSet<Long> numbers(long first, long last) {
        NavigableSet<Long> numbers = new TreeSet<>();
        LongStream.rangeClosed(first, last).forEach(numbers::add);
        return numbers;
    }

    private static SortedSet<Long> victims(long... committed) {
        SortedSet<Long> numbers = new TreeSet<>();
        for (long number : committed) {
            numbers.add(number);
        }
        return new Retention(2, 0).victims(numbers, Marks.NONE);
    }
}
