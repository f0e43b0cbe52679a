// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.demo;

import io.albm.bench.job.JobResult;
import io.albm.bench.job.JobRun;
import io.albm.bench.load.DocumentTree;
import io.albm.bench.load.LoadReport;
import io.albm.bench.load.LoadSettings;
import io.albm.bench.load.OpenLoopLoad;
import io.albm.bench.process.AdminPort;
import io.albm.checkpoint.job.JobProgress;
import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.local.ClusterSpec;
import io.albm.core.local.Installation;
import io.albm.core.local.LocalCluster;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.storage.ScrubReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The whole of ALBM on one machine: a cluster of real processes serves documents under an open-loop load and runs a
 * parallel job with checkpoints, while one cache server, one storage node and one rank are killed with SIGKILL, each at a
 * different time. Everything that the {@linkplain Check checks} need is observed from outside; this class only makes
 * things happen and writes down what it saw.
 *
 * <p>For one thread; another may {@linkplain #interrupt interrupt} it.
 */
final class Demo {
    static final String NAME = "demo";
    private static final int GENERATED_DOCUMENTS = 2000;
    private static final int MOST_DOCUMENTS = 20_000;
    private static final int CONNECTIONS = 32;
    private static final long SEED = 1;
    private static final int PAUSE_MILLIS = 20;
    private static final String CACHE_SERVER = "cache-2";
    private static final List<NodeId> STORAGE_NODES = IntStream.rangeClosed(1, 5)
            .mapToObj(n -> new NodeId("storage-" + n))
            .toList();
    private static final NodeId STORAGE_NODE = STORAGE_NODES.get(2);
    private static final int VICTIM_RANK = 1;
    private static final Duration BOUND = Duration.ofSeconds(90);
    private static final Duration JOB_BOUND = Duration.ofSeconds(150);

    private final DemoSettings settings;
    private final Installation installation;
    private final Progress progress;
    private final Path directory;

    /** Guarded by this. */
    private @Nullable LocalCluster cluster;

    /** Guarded by this. */
    private boolean interrupted;

    /** @param directory of this demo alone; it must exist */
    Demo(DemoSettings settings, Installation installation, Progress progress, Path directory) {
        this.settings = settings;
        this.installation = installation;
        this.progress = progress;
        this.directory = directory;
    }

    /**
     * Runs it, and stops whatever it started.
     *
     * @throws CliException if something did not come about in time, so that there is nothing to check
     */
    DemoReport run() throws IOException, InterruptedException {
        DocumentTree documents = documents();
        progress.step(
                "starting the cluster: 1 distributor, 3 cache servers with agents, 5 storage nodes, and the rest");
        ClusterSpec spec = ClusterSpec.of(NAME, directory, documents.root()).onFreePorts();
        Observed observed;
        try (LocalCluster started = prepare(spec)) {
            started.start(ready -> progress.note(ready.id() + " is ready, pid " + ready.pid()));
            try (StripedProbe probe = new StripedProbe(started.zooKeeper(), NAME)) {
                observed = exercise(started, probe, documents);
            }
        }
        progress.step("stopped the cluster");
        return DemoReport.of(observed.with(left()), progress.seconds());
    }

    /**
     * Starts nothing more, and ends all that was started: its processes outlive the terminal otherwise. Returns when they
     * are gone.
     *
     * @return how many there were
     */
    int interrupt() throws IOException {
        Optional<LocalCluster> running = markInterrupted();
        int found = new LeftBehind(directory).processes().size();
        if (running.isPresent()) {
            running.get().close();
        }
        new LeftBehind(directory).kill();
        return found;
    }

    private synchronized Optional<LocalCluster> markInterrupted() {
        interrupted = true;
        return Optional.ofNullable(cluster);
    }

    /** Whether {@link #interrupt} was called: what fails from then on is no news. */
    synchronized boolean isInterrupted() {
        return interrupted;
    }

    private synchronized LocalCluster prepare(ClusterSpec spec) throws IOException {
        refuseIfInterrupted();
        LocalCluster prepared = LocalCluster.prepare(spec, installation);
        cluster = prepared;
        return prepared;
    }

    private synchronized JobRun start(HeatJob heat, String name, int steps, int pause, Consumer<JobProgress> listener)
            throws IOException {
        refuseIfInterrupted();
        return heat.start(name, steps, pause, listener);
    }

    private void refuseIfInterrupted() {
        if (isInterrupted()) {
            throw new CliException(ExitCode.FAILED, "interrupted");
        }
    }

    private DocumentTree documents() throws IOException {
        DocumentTree documents = settings.docs().isPresent()
                ? DocumentTree.scan(settings.docs().get(), MOST_DOCUMENTS)
                : DocumentTree.generate(directory.resolve("docs"), SEED, GENERATED_DOCUMENTS);
        if (documents.documents().isEmpty()) {
            throw new CliException(ExitCode.USAGE, "--docs " + documents.root() + ": there is no file to serve in it");
        }
        progress.step("%,d documents, %,d bytes".formatted(documents.documents().size(), documents.totalBytes()));
        if (settings.sabotages(Sabotage.BODIES)) {
            SabotagedDocuments.changeOneByteOfEach(documents);
        }
        return documents;
    }

    private Observed exercise(LocalCluster cluster, StripedProbe probe, DocumentTree documents)
            throws IOException, InterruptedException {
        HeatJob heat = new HeatJob(installation, cluster, settings, directory);
        progress.step("the job undisturbed, for its hash");
        String undisturbed = undisturbedHash(heat);
        await("5 storage nodes", () -> probe.sees(STORAGE_NODES.size()));
        if (settings.sabotages(Sabotage.DEGRADED_READ)) {
            probe.writeWrong();
        } else {
            probe.write();
        }

        progress.step("load on the distributor");
        try (OpenLoopLoad load = OpenLoopLoad.start(loadOn(cluster), documents)) {
            awaitAnswers(load);
            killCacheServer(cluster, load);
            progress.step("the job with checkpoints beside it");
            int steps = settings.heatSteps() + (settings.sabotages(Sabotage.HASH) ? 1 : 0);
            try (JobRun job = start(heat, "disturbed", steps, PAUSE_MILLIS, this::tell)) {
                killRank(job);
                StorageLoss loss = killStorageNode(cluster, probe, load);
                long answered = load.snapshot().requests();
                if (settings.sabotages(Sabotage.REQUESTS)) {
                    killDistributor(cluster, load);
                }
                job.await(JobProgress.Finished.class, finished -> true, JOB_BOUND);
                awaitAnswers(load);
                return new Observed(load.stop(), answered, undisturbed, job.result(), loss, scrub(probe));
            }
        }
    }

    private LoadSettings loadOn(LocalCluster cluster) {
        return new LoadSettings(
                cluster.process("distributor").endpoint("http"),
                settings.requestsPerSecond(),
                CONNECTIONS,
                Duration.ofSeconds(20),
                SEED);
    }

    private ScrubReport scrub(StripedProbe probe) throws IOException {
        if (settings.sabotages(Sabotage.SCRUB)) {
            SabotagedStorage.rotABit(disk(STORAGE_NODES.getFirst()));
        }
        progress.step("scrubbing the storage");
        return probe.scrub(Set.copyOf(STORAGE_NODES));
    }

    private String undisturbedHash(HeatJob heat) throws IOException, InterruptedException {
        try (JobRun job = start(heat, "undisturbed", settings.heatSteps(), 0, nothing -> {})) {
            job.await(JobProgress.Finished.class, finished -> true, JOB_BOUND);
            return job.result().hash();
        }
    }

    private void killCacheServer(LocalCluster cluster, OpenLoopLoad load) throws IOException {
        progress.fault("kill -9 " + CACHE_SERVER);
        cluster.kill(CACHE_SERVER);
        awaitAnswers(load);
        cluster.restart(CACHE_SERVER);
        cluster.awaitReady(CACHE_SERVER);
        progress.note(CACHE_SERVER + " is back");
    }

    /** The node comes back with an empty disk, as a replaced machine would. */
    private StorageLoss killStorageNode(LocalCluster cluster, StripedProbe probe, OpenLoopLoad load)
            throws IOException {
        progress.fault("kill -9 " + STORAGE_NODE + ", and its disk is lost");
        cluster.kill(STORAGE_NODE.value());
        boolean right = probe.readsRight();
        progress.note("a striped file read with the node lost: " + (right ? "right" : "WRONG"));
        erase(disk(STORAGE_NODE));
        awaitAnswers(load);
        return new StorageLoss(right, rebuilt(cluster, probe));
    }

    /** A node that joins with an empty disk rebuilds itself; the demo helps, and waits until nothing is missing. */
    private RebuildResult rebuilt(LocalCluster cluster, StripedProbe probe) throws IOException {
        if (settings.sabotages(Sabotage.REBUILD)) {
            return new RebuildResult(0, false, 0);
        }
        cluster.restart(STORAGE_NODE.value());
        NodeAddress admin = cluster.awaitReady(STORAGE_NODE.value()).endpoint("admin");
        long began = System.nanoTime();
        await("5 storage nodes", () -> probe.sees(STORAGE_NODES.size()));
        ScrubReport first = probe.scrub(Set.of(STORAGE_NODE));
        ScrubReport second = probe.scrub(Set.of(STORAGE_NODE));
        long millis = (System.nanoTime() - began) / 1_000_000;
        long byItself = (long) AdminPort.counter(admin, "albm_storage_scrub_repaired_total");
        long repaired = byItself + first.repaired() + second.repaired();
        progress.note("%s rebuilt: %,d blocks in %,d ms".formatted(STORAGE_NODE, repaired, millis));
        return new RebuildResult(repaired, second.whole() && second.missing() == 0, millis);
    }

    private void killRank(JobRun job) throws InterruptedException {
        if (settings.sabotages(Sabotage.ROLLBACK)) {
            return;
        }
        job.await(JobProgress.Checkpoint.class, first -> true, BOUND);
        long pid = job.ranks().get(VICTIM_RANK);
        progress.fault("kill -9 rank " + VICTIM_RANK + " of the job, pid " + pid);
        ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
        job.await(JobProgress.Rollback.class, rollback -> true, BOUND);
    }

    private void killDistributor(LocalCluster cluster, OpenLoopLoad load) throws IOException {
        cluster.kill("distributor");
        long failed = load.snapshot().failed();
        await("failed requests", () -> load.snapshot().failed() > failed);
        cluster.restart("distributor");
        cluster.awaitReady("distributor");
    }

    private List<String> left() throws IOException {
        if (settings.sabotages(Sabotage.PROCESSES)) {
            SabotagedProcesses.leaveOne(directory);
        }
        List<String> left = new LeftBehind(directory)
                .processes().stream().map(LeftBehind::describe).toList();
        new LeftBehind(directory).kill();
        return left;
    }

    private void tell(JobProgress event) {
        switch (event) {
            case JobProgress.Started started -> progress.note(started.line());
            case JobProgress.Checkpoint checkpoint -> progress.note(checkpoint.line());
            case JobProgress.RankDied died -> progress.note(died.line());
            case JobProgress.HostLost lost -> progress.note(lost.line());
            case JobProgress.Restored restored -> progress.note(restored.line());
            case JobProgress.Rollback rollback -> progress.note(rollback.line());
            case JobProgress.Notice notice -> progress.note(notice.line());
            case JobProgress.Halted halted -> progress.note(halted.line());
            case JobProgress.Finished finished -> progress.note(finished.line());
            case JobProgress.Output output -> {
                // The ranks' own words are in the log of the job.
            }
        }
    }

    /** Waits until some hundred more requests have been answered: the load has seen what just happened. */
    private void awaitAnswers(OpenLoopLoad load) {
        long enough = load.snapshot().requests() + (long) (2 * settings.requestsPerSecond());
        await("answers", () -> load.snapshot().requests() >= enough);
        LoadReport now = load.snapshot();
        progress.note("%,d requests, %,d failed, p99 %.1f ms"
                .formatted(now.requests(), now.failed() + now.wrongBodies(), now.p99Micros() / 1000.0));
    }

    private static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + BOUND.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new CliException(ExitCode.FAILED, "no " + what + " within " + BOUND.toSeconds() + " s");
            }
            LockSupport.parkNanos(20_000_000);
        }
    }

    static void erase(Path tree) throws IOException {
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private Path disk(NodeId node) {
        return directory.resolve(NAME).resolve("data").resolve(node.value());
    }

    /** How the loss of a storage node went. */
    private record StorageLoss(boolean readWithNodeLost, RebuildResult rebuild) {}

    /** All but what can be seen only after the cluster has stopped. */
    private record Observed(
            LoadReport load,
            long answeredBeforeLastFault,
            String undisturbedHash,
            JobResult job,
            StorageLoss loss,
            ScrubReport scrub) {
        Evidence with(List<String> left) {
            return new Evidence(
                    load,
                    answeredBeforeLastFault,
                    undisturbedHash,
                    job,
                    loss.readWithNodeLost(),
                    loss.rebuild(),
                    scrub,
                    left);
        }
    }
}
