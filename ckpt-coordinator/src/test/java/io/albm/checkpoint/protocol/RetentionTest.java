// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RetentionTest {
    private final Retention retention = new Retention(2);

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

    private SortedSet<Long> victims(long... committed) {
        SortedSet<Long> numbers = new TreeSet<>();
        for (long number : committed) {
            numbers.add(number);
        }
        return retention.victims(numbers);
    }
}
