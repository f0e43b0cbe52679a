// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LeastTreeTest {
    private final SplittableRandom random = new SplittableRandom(3);

    @Test
    void drawsTheLeastAfterAnyChanges() {
        for (int size : new int[] {1, 2, 3, 4, 5, 1_000}) {
            var tree = new LeastTree(size);
            var counts = new int[size];
            for (int change = 0; change < 2_000; change++) {
                int leaf = random.nextInt(size);
                counts[leaf] = random.nextInt(50);
                tree.set(leaf, counts[leaf]);

                assertThat(counts[tree.draw(random)])
                        .isEqualTo(Arrays.stream(counts).min().orElseThrow());
            }
        }
    }

    @Test
    void drawsEachOfEqualsAsOften() {
        var tree = new LeastTree(5);
        tree.set(2, 1);
        var drawn = new int[5];
        IntStream.range(0, 8_000).forEach(_ -> drawn[tree.draw(random)]++);

        assertThat(drawn[2]).isZero();
        assertThat(IntStream.of(0, 1, 3, 4).mapToObj(i -> drawn[i]))
                .allSatisfy(times -> assertThat(times).isBetween(1_800, 2_200));
    }

    @Test
    void isRightAgainAfterManyThreads() throws InterruptedException {
        var tree = new LeastTree(8);
        var threads = IntStream.range(0, 4)
                .mapToObj(seed -> Thread.ofPlatform().start(() -> {
                    var own = new SplittableRandom(seed);
                    for (int i = 0; i < 50_000; i++) {
                        tree.set(2 * seed + own.nextInt(2), 1 + own.nextInt(10));
                    }
                }))
                .toList();
        for (Thread thread : threads) {
            thread.join();
        }
        for (int leaf = 0; leaf < 8; leaf++) {
            tree.set(leaf, leaf == 5 ? 11 : 12);
        }

        assertThat(tree.draw(random)).isEqualTo(5);
    }
}
