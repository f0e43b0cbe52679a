// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import java.util.List;
import java.util.Map;

/**
 * Where the ranks of a job's run are, recorded before they are started: who supervises the job next must see them dead.
 *
 * @param leaseMillis after which a host that hears nothing has killed its ranks
 * @param ranks of each host; empty if they are children of the supervisor
 */
public record RankHosts(long leaseMillis, Map<String, List<Integer>> ranks) {
    /** All ranks are children of the supervisor. */
    public static final RankHosts NONE = new RankHosts(0, Map.of());
}
