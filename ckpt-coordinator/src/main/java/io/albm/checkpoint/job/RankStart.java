// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import java.util.List;

/**
 * Ranks that one host starts.
 *
 * @param attempt of the job, from 1; an attempt is started once on a host
 * @param control where the ranks find their supervisor
 */
public record RankStart(int attempt, String control, List<Integer> ranks) {
    public RankStart {
        ranks = List.copyOf(ranks);
    }
}
