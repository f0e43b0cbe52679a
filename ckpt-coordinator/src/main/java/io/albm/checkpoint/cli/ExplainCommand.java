// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.checkpoint.protocol.DrainRecord;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.checkpoint.strategy.PortState;
import io.albm.core.access.ClusterOptions;
import io.albm.core.cli.Ansi;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.cli.Table;
import io.albm.core.json.Json;
import java.util.Locale;
import java.util.SortedSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code albm ckpt explain}. */
@Command(
        name = "explain",
        description = {
            "Say why so many ranks of a checkpoint wrote at once, and what its way to the storage was like over time.",
            "Known of the last " + DrainRecord.KEPT + " checkpoints of a job that all ranks had saved, aborted ones"
                    + " included."
        },
        footer = {"  albm ckpt explain heat", "  albm ckpt explain heat 12 --json"})
final class ExplainCommand implements Callable<Integer> {
    @Mixin
    private ClusterOptions options = new ClusterOptions();

    @Mixin
    private JobArgument job = new JobArgument();

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "NUMBER",
            description = "Number of the checkpoint. Default: the last one.")
    private @Nullable Long number;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() {
        try (JobAccess access = JobAccess.open(options)) {
            DrainRecord record = record(access, job.store(access));
            System.out.print(json ? Json.text(record) + "\n" : text(job.name(), record, Ansi.stdout()));
        }
        return ExitCode.DONE;
    }

    private DrainRecord record(JobAccess access, JobStore store) {
        SortedSet<Long> known = access.await(store.explainedNumbers());
        if (known.isEmpty()) {
            throw new CliException(
                    ExitCode.FAILED,
                    "no checkpoint of job '" + job.name() + "' was drained yet; 'albm ckpt trigger " + job.name()
                            + "' asks for one");
        }
        long wanted = number == null ? known.last() : number;
        return access.await(store.explained(wanted))
                .orElseThrow(() -> new CliException(
                        ExitCode.FAILED,
                        "nothing is known of the drain of checkpoint " + wanted + " of job '" + job.name()
                                + "'; choose one of " + known));
    }

    static String text(String job, DrainRecord record, Ansi ansi) {
        Table phases = Table.of("PHASE", "MILLIS").right(1);
        record.phaseMillis().forEach(phases::row);
        return summary(job, record)
                + "\n" + phases.render(ansi)
                + "\n" + samples(record).render(ansi)
                + "\n" + ports(record).render(ansi);
    }

    private static String summary(String job, DrainRecord record) {
        return String.format(
                Locale.ROOT,
                """
                checkpoint %d of %s, %s: %s
                %s
                %d bytes at step %d, by the coordinator with epoch %d
                bandwidth that others left: %s MB/s when the drain began, %s MB/s at the start
                Ratio_Checkpoint %.4f; with a checkpoint in flight for %.4f of the time
                """,
                record.number(),
                job,
                record.strategy(),
                record.failure().isEmpty() ? "committed" : "aborted, " + record.failure(),
                record.why(),
                record.bytes(),
                record.step(),
                record.epoch(),
                megabytes(record.bandwidthNow()),
                megabytes(record.bandwidthAtStart()),
                record.ratioCheckpoint(),
                record.ratioInFlight());
    }

    private static Table samples(DrainRecord record) {
        Table table = Table.of("MILLIS", "WRITERS", "STORED", "MB/S", "SLOWEST", "QUEUE MS", "SENT AGAIN %")
                .right(0, 1, 2, 3, 4, 5, 6);
        record.samples()
                .forEach(sample -> table.row(
                        sample.millis(),
                        sample.window(),
                        sample.storedBytes(),
                        rate(sample.totalBytesPerSecond()),
                        rate(sample.slowestBytesPerSecond()),
                        millis(sample.queueMicros()),
                        String.format(Locale.ROOT, "%.2f", 100 * sample.retransmitShare())));
        return table;
    }

    private static Table ports(DrainRecord record) {
        Table table = Table.of("I/O NODE", "MB/S", "ROUND TRIP MS", "WITHOUT QUEUE MS")
                .right(1, 2, 3);
        for (PortState port : record.ports()) {
            table.row(
                    port.node(),
                    rate(port.bytesPerSecond()),
                    millis(port.roundTripMicros()),
                    millis(port.baseMicros()));
        }
        return table;
    }

    /** 0 stands for no rate at all. */
    private static String rate(double bytesPerSecond) {
        return bytesPerSecond == 0 ? "-" : megabytes(bytesPerSecond);
    }

    private static String megabytes(double bytes) {
        return String.format(Locale.ROOT, "%.2f", bytes / 1e6);
    }

    private static String millis(long micros) {
        return String.format(Locale.ROOT, "%.2f", micros / 1000.0);
    }
}
