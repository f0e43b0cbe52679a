// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.multistripe;

import io.albm.bench.report.Runs;
import java.util.Locale;

/**
 * One checkpoint that was stored.
 *
 * @param scene over what
 * @param variant by which scheme
 * @param round number of the run of this scheme in this scene
 * @param groupSize that the scheme chose, 0 for none
 * @param seconds until the last rank's state was durable
 * @param portBytes what the storage ports sent on to their hosts meanwhile, heads and other traffic included
 * @param segments of TCP that all hosts sent, those sent again excluded
 * @param retransmitted segments that were sent again
 * @param p50Millis round trip between two others that share a storage port, median
 * @param p99Millis 99th percentile
 */
record StripeCell(
        Scene scene,
        String variant,
        int round,
        int groupSize,
        double seconds,
        long portBytes,
        long segments,
        long retransmitted,
        double p50Millis,
        double p99Millis)
        implements Runs.Cell {

    static final String HEADER = "ports,megabits,buffer_kb,load,rank_bytes,scheme,round,group_size,seconds,port_bytes,"
            + "segments,retransmitted,bystander_p50_ms,bystander_p99_ms";

    @Override
    public int load() {
        return scene.load().percent();
    }

    @Override
    public String line() {
        return String.format(
                Locale.ROOT,
                "%d,%d,%d,%s,%d,%s,%d,%d,%.3f,%d,%d,%d,%.3f,%.3f",
                scene.ports(),
                scene.megabits(),
                scene.portBufferKilobytes(),
                scene.load().text(),
                scene.rankBytes(),
                variant,
                round,
                groupSize,
                seconds,
                portBytes,
                segments,
                retransmitted,
                p50Millis,
                p99Millis);
    }

    /** For who watches. */
    String text() {
        return String.format(
                Locale.ROOT,
                "round %d, %-14s %7.2f s (ideal %.2f), %6.1f MB through the ports, %6d segments sent again,"
                        + " bystander p50 %7.3f ms, p99 %7.3f ms%s",
                round,
                variant,
                seconds,
                scene.idealSeconds(),
                portBytes / 1e6,
                retransmitted,
                p50Millis,
                p99Millis,
                groupSize == 0 ? "" : ", group size " + groupSize);
    }
}
