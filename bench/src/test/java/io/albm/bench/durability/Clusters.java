// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.durability;

import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Small clusters for tests. */
final class Clusters {
    private static final double MEBIBYTE = 1 << 20;

    private Clusters() {}

    /** Nodes whose rebuild in place takes so many hours, wherever the disk is what limits it. */
    static ClusterModel of(int nodes, double mtbfHours, double inPlaceHours, double delayHours) {
        double disk = 100 * MEBIBYTE;
        return new ClusterModel(nodes, mtbfHours, inPlaceHours * 3600 * disk, disk, 1000 * disk, delayHours);
    }

    /** Segments on distinct nodes, any as probable as another. */
    static int[][] segments(int count, int nodes, int width, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return IntStream.range(0, count)
                .mapToObj(
                        segment -> random.ints(0, nodes).distinct().limit(width).toArray())
                .toArray(int[][]::new);
    }
}
