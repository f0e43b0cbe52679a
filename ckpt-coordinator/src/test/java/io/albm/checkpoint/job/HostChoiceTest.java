// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.albm.checkpoint.job.HostChoice.Decision;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HostChoiceTest {
    private static final int RANKS = 8;

    @Test
    void beginsWithNeighboursTogetherOnAsManyHostsAsWanted() {
        assertThat(placed(any(3), Placement.NONE, "a", "b", "c", "d").ranks())
                .containsOnlyKeys("a", "b", "c")
                .containsEntry("a", List.of(0, 1, 2))
                .containsEntry("b", List.of(3, 4, 5))
                .containsEntry("c", List.of(6, 7));
    }

    @Test
    void leavesHostsWithoutRanksOut() {
        assertThat(any(5).place(2, Placement.NONE, hosts("a", "b", "c", "d", "e")))
                .isEqualTo(new Decision.Placed(Placement.even(2, List.of("a", "b"))));
    }

    @Test
    void beginsOnTheNamedHostsInTheirOrder() {
        assertThat(placed(named(null, "d", "b"), Placement.NONE, "a", "b", "c", "d")
                        .ranks())
                .containsEntry("d", List.of(0, 1, 2, 3))
                .containsEntry("b", List.of(4, 5, 6, 7));
    }

    @Test
    void saysWhichHostsAreMissingAtTheBegin() {
        assertThat(tooFew(any(3), Placement.NONE, "a", "b")).startsWith("3 hosts are wanted, these answer: a, b;");
        assertThat(tooFew(any(1), Placement.NONE)).startsWith("1 host is wanted, none answers;");
        assertThat(tooFew(named(null, "a", "x", "y"), Placement.NONE, "a", "b"))
                .startsWith("of the hosts wanted, x, y do not answer; these answer: a, b;");
    }

    @Test
    void oneSpareTakesAllRanksOfALostHostAndNothingElseMoves() {
        Placement before = Placement.even(RANKS, List.of("a", "b", "c"));
        Placement after = placed(any(3), before, "a", "c", "d", "e");
        assertThat(after.ranks()).containsOnlyKeys("a", "c", "d");
        assertThat(after.on("a")).isEqualTo(before.on("a"));
        assertThat(after.on("c")).isEqualTo(before.on("c"));
        assertThat(after.on("d")).isEqualTo(before.on("b"));
    }

    @Test
    void twoLostHostsTakeTwoSpares() {
        Placement before = Placement.even(RANKS, List.of("a", "b", "c"));
        Placement after = placed(any(3), before, "b", "d", "e");
        assertThat(after.on("d")).isEqualTo(before.on("a"));
        assertThat(after.on("e")).isEqualTo(before.on("c"));
    }

    @Test
    void withoutASpareTheRanksGoToTheHostsThatHaveTheFewest() {
        Placement before = Placement.even(RANKS, List.of("a", "b", "c"));
        Placement after = placed(any(3), before, "a", "c");
        assertThat(after.ranks())
                .containsOnlyKeys("a", "c")
                .containsEntry("a", List.of(0, 1, 2, 4))
                .containsEntry("c", List.of(3, 5, 6, 7));
    }

    @Test
    void waitsForASpareIfRanksMayNotBeSpread() {
        HostChoice choice = new HostChoice(3, List.of(), null, false);
        Placement before = Placement.even(RANKS, List.of("a", "b", "c"));
        assertThat(tooFew(choice, before, "a", "c")).startsWith("host b is lost and no spare is there");
        assertThat(placed(choice, before, "a", "c", "new").on("new")).isEqualTo(before.on("b"));
    }

    @Test
    void waitsIfNoHostIsLeft() {
        assertThat(tooFew(any(2), Placement.even(RANKS, List.of("a", "b")))).contains("no other host is left");
    }

    @Test
    void onlyHostsThatMayBeSparesReplaceOthers() {
        HostChoice choice = named(Set.of("s"), "a", "b");
        Placement before = Placement.even(RANKS, List.of("a", "b"));
        assertThat(placed(choice, before, "a", "d", "s").hosts()).containsExactly("a", "s");
        assertThat(placed(choice, before, "a", "d").hosts()).containsExactly("a");
        Placement onSpare = placed(choice, before, "a", "s");
        assertThat(placed(choice, onSpare, "b", "s").hosts())
                .as("a named host that is back replaces one, too")
                .containsExactly("b", "s");
    }

    @Test
    void aRunThatBeginsAsTheLastOneKeepsItsPlaces() {
        Placement last = Placement.even(RANKS, List.of("b", "d"));
        assertThat(any(2).continued(RANKS, last)).isEqualTo(last);
        assertThat(named(null, "b", "d").continued(RANKS, last)).isEqualTo(last);
        assertThat(any(3).continued(RANKS, last)).isEqualTo(Placement.NONE);
        assertThat(named(null, "a", "d").continued(RANKS, last)).isEqualTo(Placement.NONE);
    }

    @Test
    void refusesWhatMakesNoSense() {
        assertThatIllegalArgumentException().isThrownBy(() -> any(0)).withMessageContaining("at least 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> named(null, "a", "a"))
                .withMessageContaining("twice");
    }

    private static HostChoice any(int count) {
        return new HostChoice(count, List.of(), null, true);
    }

    private static HostChoice named(@Nullable Set<String> spares, String... hosts) {
        return new HostChoice(hosts.length, List.of(hosts), spares, true);
    }

    private static Placement placed(HostChoice choice, Placement before, String... answering) {
        assertThat(choice.place(RANKS, before, hosts(answering))).isInstanceOf(Decision.Placed.class);
        Placement placed = ((Decision.Placed) choice.place(RANKS, before, hosts(answering))).placement();
        assertThat(placed.ranks().values().stream().flatMap(List::stream))
                .as("every rank once")
                .containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6, 7);
        return placed;
    }

    private static String tooFew(HostChoice choice, Placement before, String... answering) {
        assertThat(choice.place(RANKS, before, hosts(answering))).isInstanceOf(Decision.TooFew.class);
        return ((Decision.TooFew) choice.place(RANKS, before, hosts(answering))).reason();
    }

    private static SortedSet<String> hosts(String... names) {
        return new TreeSet<>(List.of(names));
    }
}
