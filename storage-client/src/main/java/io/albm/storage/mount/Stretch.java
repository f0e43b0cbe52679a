// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A range of a file.
 *
 * @param start its first byte
 * @param end the first byte behind it
 */
record Stretch(long start, long end) {

    long length() {
        return end - start;
    }

    /** The same bytes in as few stretches as there can be, in order. */
    static List<Stretch> joined(List<Stretch> stretches) {
        List<Stretch> joined = new ArrayList<>();
        for (Stretch next : stretches.stream()
                .sorted(Comparator.comparingLong(Stretch::start))
                .toList()) {
            if (!joined.isEmpty() && joined.getLast().end() >= next.start()) {
                Stretch last = joined.removeLast();
                joined.add(new Stretch(last.start(), Math.max(last.end(), next.end())));
            } else {
                joined.add(next);
            }
        }
        return joined;
    }

    /** The same bytes in the same order, in lists of so many bytes together; the last one may have fewer. */
    static List<List<Stretch>> batches(List<Stretch> stretches, int bytes) {
        List<List<Stretch>> batches = new ArrayList<>();
        long room = 0;
        for (Stretch stretch : stretches) {
            for (long at = stretch.start; at < stretch.end; ) {
                if (room == 0) {
                    batches.add(new ArrayList<>());
                    room = bytes;
                }
                Stretch part = new Stretch(at, Math.min(stretch.end, at + room));
                batches.getLast().add(part);
                room -= part.length();
                at = part.end;
            }
        }
        return batches;
    }
}
