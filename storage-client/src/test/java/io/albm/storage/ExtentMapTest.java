// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.json.Json;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ExtentMapTest {
    private static final int FILE = 64;

    @Test
    void aWriteInTheMiddleLeavesBothSides() {
        ExtentMap map = new ExtentMap();
        map.put(new Extent(0, 100, "a", 0));
        map.put(new Extent(40, 20, "b", 7));

        assertThat(map.extents())
                .containsExactly(new Extent(0, 40, "a", 0), new Extent(40, 20, "b", 7), new Extent(60, 40, "a", 60));
        assertThat(map.generations()).containsExactlyInAnyOrder("a", "b");
        assertThat(map.within(30, 50)).containsExactly(new Extent(30, 10, "a", 30), new Extent(40, 10, "b", 7));
    }

    @Test
    void whatBelongsTogetherIsOneExtent() {
        ExtentMap map = new ExtentMap();
        map.put(new Extent(0, 10, "a", 0));
        map.put(new Extent(20, 10, "a", 20));
        map.put(new Extent(10, 10, "a", 10));
        map.put(new Extent(30, 10, "a", 50));

        assertThat(map.extents()).containsExactly(new Extent(0, 30, "a", 0), new Extent(30, 10, "a", 50));
    }

    @Test
    void anExtentIsFourThingsInJson() {
        Extent extent = new Extent(1, 2, "a", 3);
        assertThat(Json.text(extent)).isEqualTo("[1,2,\"a\",3]");
        assertThat(Json.read(Json.text(extent), Extent.class)).isEqualTo(extent);
    }

    /** Against an array that says of every byte which byte of which segment it is. */
    @Test
    void randomChangesGiveTheBytesOfAnArray() {
        for (int seed = 0; seed < 2000; seed++) {
            Random random = new Random(seed);
            ExtentMap map = new ExtentMap();
            String[] model = new String[FILE];
            for (int step = 0; step < 30; step++) {
                change(map, model, random, Character.toString('a' + random.nextInt(4)));
                assertThat(bytes(map)).as("seed %d, step %d", seed, step).isEqualTo(model);
                assertThat(new ExtentMap(map.extents()).extents()).isEqualTo(map.extents());
                assertPart(map, model, random);
                assertSeeks(map, model, random.nextInt(FILE));
            }
        }
    }

    private static void change(ExtentMap map, String[] model, Random random, String generation) {
        int start = random.nextInt(FILE);
        int end = start + 1 + random.nextInt(FILE - start);
        if (random.nextInt(4) == 0) {
            map.cut(start, end);
            Arrays.fill(model, start, end, null);
        } else {
            int from = random.nextInt(3) == 0 ? start : random.nextInt(FILE);
            map.put(new Extent(start, end - start, generation, from));
            for (int i = start; i < end; i++) {
                model[i] = generation + (from + i - start);
            }
        }
    }

    private static String[] bytes(ExtentMap map) {
        String[] bytes = new String[FILE];
        fill(bytes, 0, map.extents());
        return bytes;
    }

    private static void assertPart(ExtentMap map, String[] model, Random random) {
        int start = random.nextInt(FILE);
        int end = start + random.nextInt(FILE - start + 1);
        String[] part = new String[end - start];
        fill(part, start, map.within(start, end));
        assertThat(part).isEqualTo(Arrays.copyOfRange(model, start, end));
    }

    private static void assertSeeks(ExtentMap map, String[] model, int place) {
        long data = place;
        while (data < FILE && model[(int) data] == null) {
            data++;
        }
        long hole = place;
        while (hole < FILE && model[(int) hole] != null) {
            hole++;
        }
        assertThat(map.dataFrom(place)).isEqualTo(data < FILE ? data : Long.MAX_VALUE);
        assertThat(map.holeFrom(place)).isEqualTo(hole);
    }

    private static void fill(String[] bytes, int start, List<Extent> extents) {
        for (Extent extent : extents) {
            LongStream.range(0, extent.length())
                    .forEach(i -> bytes[(int) (extent.at() + i) - start] = extent.generation() + (extent.from() + i));
        }
    }
}
