// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.demo;

import io.albm.bench.job.JobResult;
import io.albm.bench.load.LoadReport;
import io.albm.storage.ScrubReport;
import java.util.List;

/**
 * What was seen; the checks know nothing else.
 *
 * @param load of the distributor, over all faults
 * @param answeredBeforeLastFault requests that had been answered when the last fault struck
 * @param undisturbedHash of the job that nothing happened to
 * @param job the disturbed one
 * @param readWithNodeLost whether a striped file had the right bytes while a storage node was dead
 * @param rebuild of the replaced storage node
 * @param scrub after everything
 * @param left processes that still ran after the cluster was stopped, one line each
 */
record Evidence(
        LoadReport load,
        long answeredBeforeLastFault,
        String undisturbedHash,
        JobResult job,
        boolean readWithNodeLost,
        RebuildResult rebuild,
        ScrubReport scrub,
        List<String> left) {
    Evidence {
        left = List.copyOf(left);
    }
}
