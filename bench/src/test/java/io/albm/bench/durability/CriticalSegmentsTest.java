// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CriticalSegmentsTest {
    private static final int NODES = 25;

    @ParameterizedTest
    @CsvSource({"4, 0", "1, 1", "4, 1", "1, 2", "4, 2", "8, 2"})
    void findsWhatCountingEachSegmentFinds(int dataUnits, int parityUnits) {
        Layout layout = Layout.striped(dataUnits, parityUnits);
        int[][] segments = Clusters.segments(20, NODES, Layout.WIDEST.width(), 8);
        CriticalSegments rule = new CriticalSegments(segments, NODES, layout);
        SplittableRandom random = new SplittableRandom(4);
        for (int round = 0; round < 300; round++) {
            BitSet down = new BitSet();
            random.ints(random.nextInt(5), 0, NODES).forEach(down::set);
            if (lost(segments, layout, down) == 0) {
                check(segments, layout, down, rule.exposure(down));
            }
        }
    }

    private static void check(int[][] segments, Layout layout, BitSet down, Exposure exposure) {
        BitSet fatal = new BitSet();
        double lost = 0;
        for (int node :
                IntStream.range(0, NODES).filter(node -> !down.get(node)).toArray()) {
            BitSet more = (BitSet) down.clone();
            more.set(node);
            long here = lost(segments, layout, more);
            fatal.set(node, here > 0);
            lost += here;
        }
        assertThat(exposure.fatal()).isEqualTo(fatal);
        assertThat(exposure.segmentsLost() * fatal.cardinality()).isCloseTo(lost, within(1e-9));
    }

    private static long lost(int[][] segments, Layout layout, BitSet down) {
        return Arrays.stream(segments)
                .filter(segment -> Arrays.stream(segment)
                                .limit(layout.width())
                                .filter(down::get)
                                .count()
                        > layout.bearable())
                .count();
    }
}
