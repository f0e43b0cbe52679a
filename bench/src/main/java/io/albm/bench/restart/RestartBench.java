// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.restart;

import io.albm.bench.compare.Surroundings;
import io.albm.bench.job.JobRun;
import io.albm.bench.process.ProcessGroup;
import io.albm.bench.report.BenchCommand;
import io.albm.bench.report.BenchReport;
import io.albm.bench.report.BenchReport.Result;
import io.albm.bench.report.BenchReport.Target;
import io.albm.checkpoint.job.JobProgress;
import io.albm.checkpoint.protocol.Committed;
import io.albm.checkpoint.protocol.DrainRecord;
import io.albm.checkpoint.protocol.JobStore;
import io.albm.core.local.Installation;
import io.albm.core.log.Logging;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code albm bench checkpoint-restart}. */
@Command(
        name = "checkpoint-restart",
        description = {
            "What a job waits for, over links of 100 Mbit/s: its ranks for a checkpoint, its users for a commit, all for"
                    + " a restart.",
            "",
            "A cluster of real processes in a lab (see scripts/lab): five I/O nodes behind one port, the job behind another."
                    + " 16 ranks save 600 MB: how long they stand still is compared with how long it takes to store that,"
                    + " which is what they would wait if they wrote to the storage. 16 ranks of 20 MB begin again on a new"
                    + " node: against what the wire needs. Small checkpoints show what a commit takes, and ranks that are"
                    + " killed how fast it is decided where to go back to. It takes root, and some 5 minutes."
        })
public final class RestartBench extends BenchCommand {
    private static final int RANKS = 16;
    private static final int MEBIBYTE = 1 << 20;
    private static final int SMALL_RANKS = 4;
    private static final long SMALL_BYTES = 1 << 16;
    private static final int DEATHS = 5;
    private static final Duration BOUND = Duration.ofMinutes(10);
    private static final List<String> SELDOM = List.of("--interval", "3s");
    private static final List<String> OFTEN = List.of("--interval", "100ms", "--minimum-pause", "0ms");

    @Option(names = "--directory", paramLabel = "DIR", description = "Where files are made. Default: ${DEFAULT-VALUE}")
    private Path directory = Path.of(System.getProperty("java.io.tmpdir", "/tmp"));

    @Override
    protected BenchReport measure(boolean shorter) throws IOException, InterruptedException {
        Logging.quiet();
        long saved = (shorter ? 96L : 600L) * MEBIBYTE / RANKS;
        long restored = (shorter ? 4L : 20L) * MEBIBYTE;
        List<Result> results = new ArrayList<>();
        List<Target> targets = new ArrayList<>();
        try (ProcessGroup processes = ProcessGroup.in(directory);
                JobLab lab = JobLab.start(processes, Installation.find())) {
            stall(lab, saved, results, targets);
            restart(lab, restored, results, targets);
            commits(lab, shorter ? 20 : 100, results, targets);
        }
        return new BenchReport(results, targets, surroundings());
    }

    private static Map<String, String> surroundings() throws IOException {
        Map<String, String> all = Surroundings.machine();
        all.put(
                "lab",
                "links of " + JobLab.MEGABITS
                        + " Mbit/s, five I/O nodes behind one, four data units and a parity unit");
        return all;
    }

    /** Both are of the same checkpoint: its snapshot, and its way to the storage. */
    private static void stall(JobLab lab, long bytes, List<Result> results, List<Target> targets)
            throws IOException, InterruptedException {
        System.err.println("16 ranks save " + RANKS * bytes / MEBIBYTE + " MiB");
        try (JobRun job = lab.run("stall", RANKS, bytes, "node-1", SELDOM)) {
            JobProgress.Checkpoint first = job.await(JobProgress.Checkpoint.class, any -> true, BOUND);
            Committed entry =
                    lab.records("stall").committed(first.number()).join().orElseThrow();
            double stalled = entry.times().stallMillis() / 1e3;
            double stored = entry.times().drainMillis() / 1e3;
            results.add(Result.of("ranks stand still", stalled, stored, "stored striped", "s", 1));
            targets.add(Target.atLeast("stored striped over the stall", stored / stalled, 10));
        }
    }

    /** From the start of the command on a node that has nothing, until all ranks were started with their states. */
    private static void restart(JobLab lab, long bytes, List<Result> results, List<Target> targets)
            throws IOException, InterruptedException {
        System.err.println("16 ranks of " + bytes / MEBIBYTE + " MiB begin again on a new node");
        try (JobRun job = lab.run("restart", RANKS, bytes, "node-2", SELDOM)) {
            job.await(JobProgress.Checkpoint.class, any -> true, BOUND);
        }
        long began = System.nanoTime();
        try (JobRun job = lab.run("restart", RANKS, bytes, "node-3", SELDOM)) {
            job.await(JobProgress.Started.class, started -> started.checkpoint() > 0, BOUND);
            double seconds = (System.nanoTime() - began) / 1e9;
            double wire = JobLab.wireSeconds(RANKS * bytes);
            results.add(Result.of("begin again on a new node", seconds, wire, "the wire", "s", 1));
            targets.add(Target.atMost("begin again over the wire's time", seconds / wire, 1.1));
        }
    }

    private static void commits(JobLab lab, int checkpoints, List<Result> results, List<Target> targets)
            throws IOException, InterruptedException {
        System.err.println(checkpoints + " small checkpoints, " + DEATHS + " deaths of a rank");
        JobStore records = lab.records("often");
        List<Double> commits = new ArrayList<>();
        long longestMillis;
        try (JobRun job = lab.run("often", SMALL_RANKS, SMALL_BYTES, "node-1", OFTEN)) {
            for (long number = 0; commits.size() < checkpoints; ) {
                long after = number;
                number = job.await(JobProgress.Checkpoint.class, next -> next.number() > after, BOUND)
                        .number();
                records.explained(number).join().ifPresent(record -> commits.add(commitMillis(record)));
            }
            for (int death = 1; death <= DEATHS; death++) {
                die(job, death);
            }
            longestMillis = job.result().longestRollbackMillis();
        }
        Collections.sort(commits);
        double p99 = commits.get((int) Math.ceil(commits.size() * 0.99) - 1);
        double median = commits.get(commits.size() / 2);
        results.add(
                Result.of("commit, last byte stored to visible, p99", p99, median, "its median", "ms", commits.size()));
        targets.add(Target.atMost("commit's p99 in ms", p99, 100));
        targets.add(Target.atMost("death of a rank to all running again in s, at worst", longestMillis / 1e3, 1));
    }

    private static double commitMillis(DrainRecord record) {
        return record.phaseMillis().getOrDefault("VERIFY", 0L)
                + record.phaseMillis().getOrDefault("COMMIT", 0L);
    }

    /** The first attempt is number 1, and each death begins another. */
    private static void die(JobRun job, int deaths) throws InterruptedException {
        ProcessHandle.of(job.ranks().getFirst()).orElseThrow().destroyForcibly();
        job.await(JobProgress.Started.class, started -> started.attempt() == deaths + 1, BOUND);
    }
}
