// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import java.util.List;

/**
 * Ranks that one host starts.
 *
 * @param attempt of the job, from 1; an attempt is started once on a host
 * @param control where the ranks find their supervisor
 * @param restoredStep the step that they go on from; {@link #BEGINNING} if from none
 */
public record RankStart(int attempt, String control, long restoredStep, List<Integer> ranks) {
    /** No state is gone on from. */
    static final long BEGINNING = -1;

    public RankStart {
        ranks = List.copyOf(ranks);
    }

    boolean isAtTheBeginning() {
        return restoredStep == BEGINNING;
    }
}
