// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.storage.Extent;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class DefragmentationTest {

    private static final long ENOUGH = 1_000_000;

    private static List<Extent> extents(int... lengths) {
        List<Extent> extents = new ArrayList<>();
        long at = 0;
        for (int length : lengths) {
            extents.add(new Extent(at, length, "g" + extents.size(), 0));
            at += length;
        }
        return extents;
    }

    @Test
    void takesTheRunsWithTheFewestBytes() {
        int[] lengths = IntStream.range(0, 40).map(i -> i / 8 == 2 ? 3 : 100).toArray();

        assertThat(Defragmentation.of(extents(lengths), 1, ENOUGH)).containsExactly(new Stretch(1600, 1624));
    }

    @Test
    void stopsWhenThereAreFewEnough() {
        List<Stretch> stretches =
                Defragmentation.of(extents(IntStream.generate(() -> 5).limit(80).toArray()), 8, ENOUGH);

        assertThat(stretches).hasSize(2);
        assertThat(Defragmentation.gain(stretches)).isEqualTo(14);
        assertThat(Stretch.joined(stretches).stream().mapToLong(Stretch::length).sum())
                .as("none is taken twice")
                .isEqualTo(80);
    }

    @Test
    void writesNoMoreThanItMay() {
        List<Extent> extents = extents(IntStream.generate(() -> 5).limit(80).toArray());

        assertThat(Defragmentation.of(extents, 70, 119)).hasSize(2);
        assertThat(Defragmentation.of(extents, 70, 120)).hasSize(3);
    }

    @Test
    void doesNotFillHoles() {
        List<Extent> halves = extents(1, 1, 1, 1, 1, 1, 1, 1);
        List<Extent> apart = new ArrayList<>(halves.subList(0, 4));
        halves.subList(4, 8).forEach(extent -> apart.add(new Extent(extent.at() + 1, 1, extent.generation(), 0)));

        assertThat(Defragmentation.of(halves, 1, ENOUGH)).containsExactly(new Stretch(0, 8));
        assertThat(Defragmentation.of(apart, 1, ENOUGH)).isEmpty();
    }

    @Test
    void stretchesThatTouchOrOverlapAreOne() {
        assertThat(Stretch.joined(List.of(
                        new Stretch(9, 12),
                        new Stretch(0, 3),
                        new Stretch(3, 5),
                        new Stretch(10, 11),
                        new Stretch(6, 7))))
                .containsExactly(new Stretch(0, 5), new Stretch(6, 7), new Stretch(9, 12));
    }
}
