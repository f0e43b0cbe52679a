// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.coordinator;

import io.albm.checkpoint.strategy.TcpSegments;
import java.util.HashMap;
import java.util.Map;

/** Share of segments that the hosts of all jobs sent again between two looks. Not thread-safe. */
final class RetransmitMeter {
    private Map<String, TcpSegments> last = Map.of();

    /**
     * Looks.
     *
     * @param sent by the host of each job that is being stored, since that host was started
     * @return 0 to 1; 0 for a job that was not there at the last look
     */
    double share(Map<String, TcpSegments> sent) {
        TcpSegments all = TcpSegments.NONE;
        for (var job : sent.entrySet()) {
            TcpSegments now = job.getValue();
            all = all.plus(now.since(last.getOrDefault(job.getKey(), now)));
        }
        last = new HashMap<>(sent);
        return all.retransmitShare();
    }
}
