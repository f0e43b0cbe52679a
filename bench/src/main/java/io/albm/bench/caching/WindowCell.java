// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.caching;

import io.albm.bench.report.Runs;
import java.util.Locale;

/**
 * One run.
 *
 * @param variant the policy
 * @param load user equivalents
 * @param round number of the run with this policy and these users
 * @param requestsPerSecond right answers a second
 * @param meanMillis mean response time, from the connect to the last byte (the paper's ASRT)
 * @param p99Millis 99th percentile of it
 * @param objectHitRatio share of requests that needed no read of the source, by the server's metrics
 * @param byteHitRatio the same of bytes
 * @param diskReadsPerSecond reads of the disk, by the kernel's books; 0 where it keeps none for us
 * @param failed requests without a right answer
 */
record WindowCell(
        String variant,
        int load,
        int round,
        double requestsPerSecond,
        double meanMillis,
        double p99Millis,
        double objectHitRatio,
        double byteHitRatio,
        double diskReadsPerSecond,
        long failed)
        implements Runs.Cell {

    static final String HEADER =
            "policy,users,round,requests_per_second,mean_ms,p99_ms,object_hit_ratio,byte_hit_ratio,disk_reads_per_second,failed";

    @Override
    public String line() {
        return String.format(
                Locale.ROOT,
                "%s,%d,%d,%.2f,%.1f,%.1f,%.4f,%.4f,%.1f,%d",
                variant,
                load,
                round,
                requestsPerSecond,
                meanMillis,
                p99Millis,
                objectHitRatio,
                byteHitRatio,
                diskReadsPerSecond,
                failed);
    }

    /** For who watches. */
    String text() {
        return String.format(
                Locale.ROOT,
                "%d users, round %d, %-13s %6.1f requests/s, mean %5.0f ms, p99 %6.0f ms, hit ratio %.3f (bytes %.3f),"
                        + " %5.1f disk reads/s, %d failed",
                load,
                round,
                variant,
                requestsPerSecond,
                meanMillis,
                p99Millis,
                objectHitRatio,
                byteHitRatio,
                diskReadsPerSecond,
                failed);
    }
}
