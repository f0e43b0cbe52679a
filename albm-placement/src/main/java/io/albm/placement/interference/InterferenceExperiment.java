// SPDX-License-Identifier: Apache-2.0
package io.albm.placement.interference;

import io.albm.core.cgroup.LimitedGroup;
import io.albm.core.cgroup.NotPermittedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Paper P4's experiment on one machine: word counters on a worker node with little memory, and a neighbour that
 * stresses it.
 *
 * <p>The node is a memory control group, the counters and the neighbour are processes in it. Three disturbances tell
 * apart what the paper's numbers mix: memory that still fits, memory that no longer does, and the CPU time of the
 * latter without its memory. The overflow is chosen so that it pushes out three quarters of the pages that the counters
 * read: they then wait for the disk in every round, which is what interference through memory is. What the neighbour
 * holds itself stays below the node's limit, so that the kernel always has page cache to take back and never has to
 * kill.
 *
 * <p>Windows come in pairs, undisturbed then disturbed, and the disturbances take turns, so that drift of the machine
 * hits all alike. A window starts when every counter has gone through its text once in the new situation. Progress is
 * what the kernel says that each counter has read, and so is exact at a window's borders.
 *
 * <p>Everything that it makes (a control group, processes, texts) is gone when {@link #close} returns, which is safe to
 * call from a shutdown hook while {@link #prepare} or {@link #run} is on its way. Source: paper P4, tables 1 to 3.
 */
public final class InterferenceExperiment implements AutoCloseable {
    /** Share of the texts that still fits when the stress overflows: room for the kernel's read-ahead. */
    private static final double KEPT_SHARE = 0.25;

    /** Share of the node's free memory that the fitting stress takes. */
    private static final double FITTING_SHARE = 0.6;

    /** The overflow comes first: the CPU stress takes as much time as it did. */
    private static final List<Disturbance> TURNS = List.of(Disturbance.OVERFLOWS, Disturbance.CPU, Disturbance.FITS);

    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final Set<String> MEMORY_FILE_SYSTEMS = Set.of("tmpfs", "ramfs");

    private final ExperimentSettings settings;
    private final Path directory;
    private final Consumer<String> progress;
    private final List<Worker> counters = new ArrayList<>();
    private final Deque<Worker> started = new ArrayDeque<>();
    private @Nullable LimitedGroup node;
    private @Nullable Path texts;
    private boolean closed;

    /**
     * Makes nothing yet, so that whoever is to {@link #close} it in time can be told of it before there is anything.
     *
     * @param directory where the texts go while the experiment lasts; on a disk, because the experiment is about reading
     *     from it
     * @param progress is told, in a line, what happens
     */
    public InterferenceExperiment(ExperimentSettings settings, Path directory, Consumer<String> progress) {
        this.settings = settings;
        this.directory = directory;
        this.progress = progress;
    }

    /**
     * Makes the node; once, before {@link #run}.
     *
     * @throws NotPermittedException if this machine does not allow memory control groups
     */
    public synchronized void prepare() throws IOException, NotPermittedException {
        refuseIfClosed();
        Files.createDirectories(directory);
        String fileSystem = Files.getFileStore(directory).type();
        if (MEMORY_FILE_SYSTEMS.contains(fileSystem)) {
            throw new IOException(directory + " is on a " + fileSystem + ", which has no disk behind it to wait for:"
                    + " choose a directory on a disk");
        }
        node = LimitedGroup.create("interference", settings.nodeBytes());
        texts = Files.createTempDirectory(directory, "texts-");
    }

    private LimitedGroup node() {
        return Objects.requireNonNull(node);
    }

    private void refuseIfClosed() throws IOException {
        if (closed) {
            throw new IOException("the experiment was interrupted");
        }
    }

    /** Runs the windows; once. Takes at most {@code pairs * 6 * (window + longest settling)}, besides the start. */
    public List<WindowPair> run() throws IOException {
        Neighbour neighbour = startNode();
        List<WindowPair> pairs = new ArrayList<>();
        for (int round = 1; round <= settings.pairs(); round++) {
            for (Disturbance disturbance : TURNS) {
                WindowPair pair = pair(disturbance, neighbour);
                pairs.add(pair);
                progress.accept("round %d of %d, %s: a count took %.0f ms, undisturbed %.0f ms (%+.1f %%)"
                        .formatted(
                                round,
                                settings.pairs(),
                                disturbance.title(),
                                pair.disturbed().countMillis(),
                                pair.undisturbed().countMillis(),
                                pair.increasePercent()));
            }
        }
        checkNothingWasKilled();
        return pairs;
    }

    private Neighbour startNode() throws IOException {
        progress.accept("%d word counters with %d MiB of text each start on a node of %d MiB"
                .formatted(settings.counters(), settings.textBytes() >> 20, settings.nodeBytes() >> 20));
        for (int i = 0; i < settings.counters(); i++) {
            Path text = Objects.requireNonNull(texts).resolve("text-" + i);
            counters.add(start(WordCounter.class, text.toString(), Long.toString(settings.textBytes())));
        }
        for (Worker counter : counters) {
            counter.answer();
        }
        Worker stress = start(Stress.class);
        stress.ask("idle");
        return neighbour(stress);
    }

    private Neighbour neighbour(Worker stress) throws IOException {
        long free = settings.nodeBytes() - node().memory().usageBytes();
        if (free < settings.nodeBytes() / 20) {
            throw new IOException("the word counters alone fill the node: only " + (free >> 20) + " of "
                    + (settings.nodeBytes() >> 20) + " MiB are free");
        }
        long fitting = (long) (free * FITTING_SHARE);
        long overflowing = free + (long) (settings.allTextBytes() * (1 - KEPT_SHARE));
        progress.accept("the neighbour holds %d MiB when it fits, %d MiB when it overflows, of %d MiB free"
                .formatted(fitting >> 20, overflowing >> 20, free >> 20));
        return new Neighbour(stress, settings.stressThreads(), fitting, overflowing);
    }

    private synchronized Worker start(Class<?> main, String... arguments) throws IOException {
        refuseIfClosed();
        Worker worker = Worker.start(node(), main, arguments);
        started.push(worker);
        return worker;
    }

    private WindowPair pair(Disturbance disturbance, Neighbour neighbour) throws IOException {
        neighbour.rest();
        Window undisturbed = window(neighbour);
        neighbour.begin(disturbance);
        Window disturbed = window(neighbour);
        if (disturbance == Disturbance.OVERFLOWS) {
            neighbour.overflowTook(disturbed.stressProcessors());
        }
        return new WindowPair(disturbance, undisturbed, disturbed);
    }

    private Window window(Neighbour neighbour) throws IOException {
        settle();
        Totals before = totals(neighbour);
        sleep(settings.window().toNanos());
        Totals after = totals(neighbour);
        double seconds = (after.nanos - before.nanos) / 1e9;
        double countsPerSecond = (after.readBytes - before.readBytes) / seconds / settings.allTextBytes();
        return new Window(
                1000 / countsPerSecond,
                (after.refaults - before.refaults) / seconds,
                (after.majorFaults - before.majorFaults) / seconds,
                after.stressCpu.minus(before.stressCpu).toNanos() / 1e9 / seconds,
                node().memory().workingSetBytes());
    }

    /** Until every counter has met the new situation on each page of its text; bounded, for very slow disks. */
    private void settle() throws IOException {
        long deadline = System.nanoTime() + settings.longestSettling().toNanos();
        Map<Worker, Long> goals = new LinkedHashMap<>();
        for (Worker counter : counters) {
            goals.put(counter, counter.readBytes() + settings.textBytes());
        }
        for (Map.Entry<Worker, Long> goal : goals.entrySet()) {
            while (goal.getKey().readBytes() < goal.getValue() && System.nanoTime() < deadline) {
                sleep(POLL_NANOS);
            }
        }
    }

    private Totals totals(Neighbour neighbour) throws IOException {
        long read = 0;
        for (Worker counter : counters) {
            read += counter.readBytes();
        }
        return new Totals(
                System.nanoTime(),
                read,
                node().memory().fileRefaults(),
                node().memory().majorFaults(),
                neighbour.cpuTime());
    }

    private record Totals(long nanos, long readBytes, long refaults, long majorFaults, Duration stressCpu) {}

    private void checkNothingWasKilled() throws IOException {
        long killed = node().killedForMemory();
        boolean complete = counters.stream().allMatch(Worker::isAlive);
        if (killed > 0 || !complete) {
            throw new IOException("the kernel killed " + killed + " processes for memory: the result would be wrong");
        }
    }

    private static void sleep(long nanos) throws IOException {
        try {
            TimeUnit.NANOSECONDS.sleep(nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("the experiment was interrupted", e);
        }
    }

    /** Ends every process, and removes the texts and the node. */
    @Override
    public synchronized void close() throws IOException {
        if (closed) {
            return;
        }
        closed = true;
        while (!started.isEmpty()) {
            started.pop().close();
        }
        if (texts != null) {
            deleteTexts(texts);
        }
        if (node != null) {
            node.close();
        }
    }

    private static void deleteTexts(Path texts) throws IOException {
        try (var files = Files.list(texts)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(texts);
    }
}
