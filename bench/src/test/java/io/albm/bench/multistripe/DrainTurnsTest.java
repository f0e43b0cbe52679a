// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.multistripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.checkpoint.strategy.Bandwidth;
import io.albm.checkpoint.strategy.Network;
import io.albm.checkpoint.strategy.Politeness;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DrainTurnsTest {
    static Iterable<Scheme> schemes() {
        return Scheme.all();
    }

    @ParameterizedTest
    @MethodSource("schemes")
    void everyRankBeginsOnceWhateverTheOrderInWhichTheyEnd(Scheme scheme) {
        for (int seed = 0; seed < 50; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            DrainTurns turns = turns(scheme, new Bandwidth(100, random.nextInt(101)));
            Deque<Integer> writing = new ArrayDeque<>(turns.next(Network.UNKNOWN));
            Set<Integer> begun = new HashSet<>(writing);
            while (!turns.isDone()) {
                assertThat(writing)
                        .describedAs("seed %d: somebody writes", seed)
                        .isNotEmpty();
                if (random.nextBoolean()) {
                    writing.addLast(writing.removeFirst());
                }
                turns.stored(writing.removeFirst());
                for (int rank : turns.next(Network.UNKNOWN)) {
                    assertThat(begun.add(rank))
                            .describedAs("seed %d, rank %d", seed, rank)
                            .isTrue();
                    writing.add(rank);
                }
            }
            assertThat(begun).hasSize(Scene.RANKS);
            assertThat(writing).isEmpty();
        }
    }

    @Test
    void theNextGroupBeginsWhenTheLastOfThisOneIsStored() {
        DrainTurns turns = turns(new Scheme("four", "striped", 4, Politeness.POLITE), Bandwidth.UNCHANGED);
        assertThat(turns.next(Network.UNKNOWN)).containsExactly(0, 1, 2, 3);
        turns.stored(2);
        turns.stored(0);
        turns.stored(3);
        assertThat(turns.next(Network.UNKNOWN)).isEmpty();
        turns.stored(1);
        assertThat(turns.next(Network.UNKNOWN)).containsExactly(4, 5, 6, 7);
    }

    @Test
    void aRankIsNotStoredTwiceNorBeforeItHasBegun() {
        DrainTurns turns = turns(new Scheme("four", "striped", 4, Politeness.POLITE), Bandwidth.UNCHANGED);
        turns.next(Network.UNKNOWN);
        turns.stored(0);
        assertThatThrownBy(() -> turns.stored(0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> turns.stored(4)).isInstanceOf(IllegalStateException.class);
    }

    private static DrainTurns turns(Scheme scheme, Bandwidth bandwidth) {
        return new DrainTurns(scheme.plan(1, 1, Network.unmeasured(bandwidth)), Scene.RANKS);
    }
}
