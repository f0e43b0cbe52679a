// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.host;

import io.albm.checkpoint.job.RankCommand;
import io.albm.checkpoint.job.RankStart;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a supervisor wants to be so on a host, for one job. Sent again and again, as the coordinator's commands are: a lost,
 * late or doubled one does no harm.
 *
 * @param run of the job, counted when its supervisor registered: the fence. A host obeys the highest
 * @param number higher than that of every command of this run to this host that was made before: one that was overtaken
 *     changes nothing any more
 * @param instance of the host that is meant, as it said itself; empty to make its acquaintance. Another instance starts
 *     nothing: what this one ran is gone
 * @param jobRanks of the whole job
 * @param start ranks that are to run; null for none: all are killed. An attempt is started once
 * @param tasks that are to be done, each once; those that are left out are forgotten
 * @param heard lines of output that were taken, counted from the instance's first
 * @param said of the newest report of that instance that was heard; 0 for none. The lease runs from then: this command, which
 *     may come late, was sent later
 * @param leaseMillis after which the ranks are killed if no command of this run renews it
 */
record HostCommand(
        long run,
        long number,
        String instance,
        int jobRanks,
        RankCommand command,
        @Nullable RankStart start,
        List<HostTask> tasks,
        long heard,
        long said,
        long leaseMillis) {
    HostCommand {
        tasks = List.copyOf(tasks);
    }
}
