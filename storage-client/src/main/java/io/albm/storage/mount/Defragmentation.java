// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.storage.Extent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Says which parts of a file are worth being written anew, so that it is in fewer pieces: of all runs of {@value #RUN} extents
 * without a hole, those with the fewest bytes. Many small changes are near one another in what is changed much, and
 * nothing else is touched. Pure.
 */
final class Defragmentation {
    /** Extents that become one. */
    private static final int RUN = 8;

    private Defragmentation() {}

    /**
     * Stretches that do not overlap.
     *
     * @param extents of the file, in order
     * @param surplus how many fewer there should be
     * @param most bytes of all stretches together, beyond which the file stays in more pieces
     */
    static List<Stretch> of(List<Extent> extents, int surplus, long most) {
        List<Integer> smallestFirst = runs(extents).stream()
                .sorted(Comparator.comparingLong(
                        first -> stretch(extents, first).length()))
                .toList();
        boolean[] taken = new boolean[extents.size()];
        List<Stretch> stretches = new ArrayList<>();
        long left = most;
        for (int first : smallestFirst) {
            Stretch stretch = stretch(extents, first);
            if (gain(stretches) >= surplus || stretch.length() > left) {
                break;
            }
            // Runs are equally long: another one that overlaps has one of the ends.
            if (!taken[first] && !taken[first + RUN - 1]) {
                Arrays.fill(taken, first, first + RUN, true);
                stretches.add(stretch);
                left -= stretch.length();
            }
        }
        return stretches;
    }

    /** How many extents fewer there are when the stretches are written anew. */
    static int gain(List<Stretch> stretches) {
        return stretches.size() * (RUN - 1);
    }

    /** Where those begin that have no hole. */
    private static List<Integer> runs(List<Extent> extents) {
        List<Integer> runs = new ArrayList<>();
        int sinceHole = 0;
        for (int last = 0; last < extents.size(); last++) {
            boolean goesOn =
                    last > 0 && extents.get(last - 1).end() == extents.get(last).at();
            sinceHole = goesOn ? sinceHole + 1 : 1;
            if (sinceHole >= RUN) {
                runs.add(last - RUN + 1);
            }
        }
        return runs;
    }

    private static Stretch stretch(List<Extent> extents, int first) {
        return new Stretch(extents.get(first).at(), extents.get(first + RUN - 1).end());
    }
}
