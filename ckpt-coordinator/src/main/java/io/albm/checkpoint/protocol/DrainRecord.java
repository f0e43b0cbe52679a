// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import io.albm.checkpoint.strategy.PortState;
import java.util.List;
import java.util.Map;

/**
 * Why a checkpoint was stored as it was, in {@code drains/<number>}: kept of the last {@value #KEPT} that came as far as to be
 * drained, committed or not.
 *
 * @param failure why it was aborted; empty if it was committed
 * @param epoch of the coordinator that ended it; what another one did before it took over is not in here
 * @param why the decision on {@code groupSize} in words, as of the end
 * @param groupSize the most ranks that wrote at once
 * @param bytes of all ranks
 * @param bandwidthAtStart what others left of the coordinator's link when it began to lead, in bytes per second
 * @param bandwidthNow the same when the drain began
 * @param phaseMillis how long each phase took
 * @param ratioCheckpoint P3's Ratio_Checkpoint: share of the time since the coordinator began to lead the job in which its ranks
 *     stood still for checkpoints, 0 to 1
 * @param ratioInFlight the same for the time in which a checkpoint was in flight, which is what P3 measures where ranks wait
 *     until they are stored
 * @param samples the drain over time
 * @param ports I/O nodes at its end, those with the longest queues first, at most {@value #MOST_PORTS}
 */
public record DrainRecord(
        long number,
        String failure,
        long step,
        long epoch,
        String strategy,
        String why,
        int groupSize,
        long bytes,
        double bandwidthAtStart,
        double bandwidthNow,
        Map<String, Long> phaseMillis,
        double ratioCheckpoint,
        double ratioInFlight,
        List<DrainSample> samples,
        List<PortState> ports) {
    /** Records of a job that are kept. */
    public static final int KEPT = 16;

    static final int MOST_PORTS = 32;
}
