// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import java.util.HashMap;
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

    /** The base of a checkpoint in flight, as its record says; 0 for none. */
    long baseOf(long number) {
        return inflight.stream()
                .filter(record -> record.number() == number)
                .mapToLong(Inflight::base)
                .findFirst()
                .orElse(0);
    }

    /** The version of the node of a checkpoint in flight. */
    int versionOf(long number) {
        Integer version = inflightVersions.get(number);
        if (version == null) {
            throw new IllegalStateException("no in-flight record of checkpoint " + number + " is known");
        }
        return version;
    }

    /** What it is once this record has been written. */
    DurableState with(Inflight written, int version) {
        Map<Long, Integer> versions = new HashMap<>(inflightVersions);
        versions.put(written.number(), version);
        return new DurableState(
                epoch,
                next,
                nextVersion,
                latestVersion,
                List.of(written),
                versions,
                committed,
                stallsMillis,
                marks,
                marksVersion,
                finished);
    }

    /** Complete checkpoints that a restart would go on from. */
    SortedSet<Long> usable() {
        return marks.usable(committed);
    }
}
