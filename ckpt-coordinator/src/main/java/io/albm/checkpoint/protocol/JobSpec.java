// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * What is fixed for a job when it is first started.
 *
 * @param name 1 to 63 of a-z, 0-9 and dashes
 * @param ranks number of processes, at least 1
 * @param interval from the begin of one checkpoint to the begin of the next
 * @param minimumPauseMillis from the end of one attempt at a checkpoint, failed or not, to the begin of the next
 * @param barrierMillis how long ranks may take to reach a common step and save it
 * @param drainMillis how long a drain may go on without more being stored, of some rank's state or as one that is whole, and how
 *     long the storage may take to confirm that all are there
 * @param strategy as in {@link io.albm.checkpoint.strategy.CheckpointStrategies}
 * @param groupSize stripe group size, or the initial one
 * @param keep checkpoints to keep, at least 2: a restart may have to fall back while the next one commits
 * @param keepEvery checkpoints whose number this divides are kept, too; 0 for none
 */
public record JobSpec(
        String name,
        int ranks,
        Interval interval,
        long minimumPauseMillis,
        long barrierMillis,
        long drainMillis,
        String strategy,
        int groupSize,
        int keep,
        int keepEvery) {
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

    public JobSpec {
        requireName(name);
        if (ranks < 1 || ranks > 10_000) {
            throw new IllegalArgumentException("a job of " + ranks + " ranks; --ranks takes 1 to 10000");
        }
        if (keep < 2) {
            throw new IllegalArgumentException("cannot keep " + keep + " checkpoints; --keep takes at least 2");
        }
        if (keepEvery < 0) {
            throw new IllegalArgumentException(
                    "cannot keep every " + keepEvery + "th checkpoint; --keep-every takes at least 1, or 0 for none");
        }
        if (groupSize < 1) {
            throw new IllegalArgumentException("stripe group size " + groupSize + "; --group-size takes at least 1");
        }
    }

    /**
     * Checks a name.
     *
     * @throws IllegalArgumentException if a job cannot have it
     */
    public static void requireName(String name) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "job name \"" + name + "\" is not 1 to 63 of a-z, 0-9 and '-'; choose another --name");
        }
    }

    /** 0 to ranks - 1. */
    public List<Integer> allRanks() {
        return IntStream.range(0, ranks).boxed().toList();
    }
}
