// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.scale;

import io.albm.bench.report.Runs;
import io.albm.checkpoint.protocol.Committed;
import java.util.Locale;

/**
 * One checkpoint of a scheme under a load, and what a job makes of it that computes for an hour and saves six times.
 *
 * @param load share of ports and links that others have, in %
 * @param groupSize the most ranks that wrote at once
 * @param seconds from the begin to the commit: P3's response time
 * @param bytesPerSecond of states: P3's throughput
 * @param stallSeconds in which ranks stand still, if they run on once they have saved on their own nodes
 */
record FigureCell(
        String scheme, int ranks, int load, int groupSize, double seconds, double bytesPerSecond, double stallSeconds)
        implements Runs.Cell {
    static final String HEADER = "scheme,ranks,load_percent,group_size,response_s,throughput_mb_s,stall_s,"
            + "total_run_s,ratio_checkpoint,total_run_running_on_s,ratio_checkpoint_running_on";

    private static final double COMPUTING_SECONDS = 3600;
    private static final int CHECKPOINTS = 6;

    static FigureCell of(String scheme, int load, int ranks, Committed entry) {
        double seconds = entry.millis() / 1000.0;
        return new FigureCell(
                scheme,
                ranks,
                load,
                entry.groupSize(),
                seconds,
                entry.bytes() / seconds,
                entry.times().stallMillis() / 1000.0);
    }

    @Override
    public String variant() {
        return scheme;
    }

    /** P3's Total_RunTime: ranks wait until they are stored. */
    double totalRunSeconds() {
        return COMPUTING_SECONDS + CHECKPOINTS * seconds;
    }

    /** P3's Ratio_Checkpoint. */
    double ratioCheckpoint() {
        return CHECKPOINTS * seconds / totalRunSeconds();
    }

    private double totalRunningOnSeconds() {
        return COMPUTING_SECONDS + CHECKPOINTS * stallSeconds;
    }

    double megabytesPerSecond() {
        return bytesPerSecond / 1e6;
    }

    @Override
    public String line() {
        return String.format(
                Locale.ROOT,
                "%s,%d,%d,%d,%.2f,%.2f,%.2f,%.1f,%.4f,%.1f,%.5f",
                scheme,
                ranks,
                load,
                groupSize,
                seconds,
                megabytesPerSecond(),
                stallSeconds,
                totalRunSeconds(),
                ratioCheckpoint(),
                totalRunningOnSeconds(),
                CHECKPOINTS * stallSeconds / totalRunningOnSeconds());
    }
}
