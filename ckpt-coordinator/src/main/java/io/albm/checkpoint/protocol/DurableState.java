// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import java.util.List;
import java.util.Map;
import java.util.SortedSet;

/**
 * Everything that the coordination store knows of a job's checkpoints. Read with the epoch last, so that all of it is
 * from the reader's own reign if the epoch still is.
 *
 * @param epoch of the coordinator that leads now
 * @param next the number that the next checkpoint gets
 * @param nextVersion version of the node that holds it
 * @param inflight usually none or one
 * @param inflightVersions versions of their nodes, by number
 * @param stallsMillis of the newest complete checkpoints, at most {@link Interval#MEASURED}
 * @param marksVersion version of the node that holds the marks
 * @param finished the job ended well; no checkpoint is taken any more
 */
public record DurableState(
        long epoch,
        long next,
        int nextVersion,
        int latestVersion,
        List<Inflight> inflight,
        Map<Long, Integer> inflightVersions,
        SortedSet<Long> committed,
        List<Long> stallsMillis,
        Marks marks,
        int marksVersion,
        boolean finished) {
    /** The newest complete checkpoint; 0 for none. */
    public long latest() {
        return committed.isEmpty() ? 0 : committed.last();
    }

    /** Complete checkpoints that a restart would go on from. */
    SortedSet<Long> usable() {
        return marks.usable(committed);
    }
}
