// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import io.albm.bench.load.Answers;
import io.albm.bench.report.Runs;
import java.time.Duration;
import java.util.Locale;

/**
 * One run.
 *
 * @param variant who routed, and how
 * @param clients that asked at a time
 * @param round number of the run with this variant and these clients
 * @param goodput requests a second that were answered well and in time
 * @param p50Millis median latency of all answers
 * @param p99Millis 99th percentile
 * @param late answers that came too late to count
 * @param failed requests without a good answer
 */
record Cell(
        String variant, int clients, int round, double goodput, long p50Millis, long p99Millis, long late, long failed)
        implements Runs.Cell {

    static final String HEADER = "variant,clients,round,goodput_per_second,p50_ms,p99_ms,late,failed";

    /** A later answer is no failure, but nobody waits for it: it does not count as goodput. */
    private static final Duration PATIENCE = Duration.ofSeconds(4);

    /** Of what became of the requests. */
    static Cell of(String variant, int clients, int round, Answers answers) {
        return new Cell(
                variant,
                clients,
                round,
                answers.perSecondWithin(PATIENCE),
                Math.round(answers.millisAt(50)),
                Math.round(answers.millisAt(99)),
                answers.laterThan(PATIENCE),
                answers.failures());
    }

    @Override
    public int load() {
        return clients;
    }

    @Override
    public String line() {
        return String.format(
                Locale.ROOT,
                "%s,%d,%d,%.2f,%d,%d,%d,%d",
                variant,
                clients,
                round,
                goodput,
                p50Millis,
                p99Millis,
                late,
                failed);
    }
}
