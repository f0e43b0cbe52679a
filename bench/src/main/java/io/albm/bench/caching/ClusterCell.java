// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.caching;

import io.albm.bench.report.Runs;
import java.util.Locale;

/**
 * One run of a cluster.
 *
 * @param variant the distributor's policy
 * @param load cache servers
 * @param round number of the run with this policy and these servers
 * @param objectHitRatio share of the cluster's requests that needed no read of the source, by the servers' metrics
 * @param byteHitRatio the same of bytes
 * @param requestsPerSecond right answers a second
 * @param meanMillis mean response time
 * @param busiestShare share of the requests that the busiest server got
 * @param failed requests without a right answer
 */
record ClusterCell(
        String variant,
        int load,
        int round,
        double objectHitRatio,
        double byteHitRatio,
        double requestsPerSecond,
        double meanMillis,
        double busiestShare,
        long failed)
        implements Runs.Cell {

    static final String HEADER =
            "policy,servers,round,object_hit_ratio,byte_hit_ratio,requests_per_second,mean_ms,busiest_share,failed";

    @Override
    public String line() {
        return String.format(
                Locale.ROOT,
                "%s,%d,%d,%.4f,%.4f,%.2f,%.1f,%.3f,%d",
                variant,
                load,
                round,
                objectHitRatio,
                byteHitRatio,
                requestsPerSecond,
                meanMillis,
                busiestShare,
                failed);
    }

    /** For who watches. */
    String text() {
        return String.format(
                Locale.ROOT,
                "%d server(s), round %d, %-17s hit ratio %.3f (bytes %.3f), %6.1f requests/s, mean %5.0f ms, busiest %2.0f %%,"
                        + " %d failed",
                load,
                round,
                variant,
                objectHitRatio,
                byteHitRatio,
                requestsPerSecond,
                meanMillis,
                100 * busiestShare,
                failed);
    }
}
