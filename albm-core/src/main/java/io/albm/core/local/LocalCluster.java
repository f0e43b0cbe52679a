// SPDX-License-Identifier: Apache-2.0
package io.albm.core.local;

import io.albm.core.cli.CliException;
import io.albm.core.cli.ExitCode;
import io.albm.core.net.PortOwner;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/**
 * A cluster of real processes on this machine, bound to loopback: ZooKeeper, a distributor, cache servers each with an
 * agent, storage nodes, a coordinator and a console. Data, logs and the record of what runs are kept in one directory;
 * a later start continues with the data.
 *
 * <p>ZooKeeper starts first, since all others wait for it. The others start a few at a time: each start is CPU work,
 * and more of them at once than there are CPUs would only make all of them late.
 *
 * <p>The processes do not depend on this object: they have sessions of their own, and {@code cluster.json} lets another
 * process find and stop them. There is no supervisor; a killed process stays away until {@link #restart}, and
 * {@code albm status} shows it as gone.
 *
 * <p>Thread-safe.
 */
public final class LocalCluster implements AutoCloseable {
    private static final Duration READY_BOUND = Duration.ofSeconds(90);
    private static final Duration STOP_BOUND = Duration.ofSeconds(15);
    private static final String ZOOKEEPER = "zookeeper";

    private final ClusterSpec spec;
    private final ProcessStarter starter;
    private final FileChannel lockFile;
    private final Instant started;
    private final HeldPorts ports = new HeldPorts();

    /** Guarded by this. */
    private final Map<String, ProcessSpec> plan = new LinkedHashMap<>();

    /** Guarded by this. */
    private final Map<String, ClusterProcess> processes = new LinkedHashMap<>();

    /** Guarded by this. */
    private boolean closed;

    /** Held while the processes are being stopped: who closes second waits for the first. */
    private final Object stopping = new Object();

    /** @param started before the lock was taken: who cannot take it since may tell this to stop */
    private LocalCluster(ClusterSpec spec, Installation installation, Instant started, FileChannel lockFile) {
        this.spec = spec;
        this.started = started;
        this.starter = new ProcessStarter(installation, spec.directory());
        this.lockFile = lockFile;
    }

    /** {@link #prepare} and {@link #start(Consumer)} in one. */
    public static LocalCluster start(ClusterSpec spec, Installation installation, Consumer<ClusterProcess> onReady)
            throws IOException {
        LocalCluster cluster = prepare(spec, installation);
        cluster.start(onReady);
        return cluster;
    }

    /**
     * Takes the directory's lock, and starts nothing yet.
     *
     * @throws CliException with {@link ExitCode#REFUSED} if the cluster is up already
     */
    public static LocalCluster prepare(ClusterSpec spec, Installation installation) throws IOException {
        Files.createDirectories(spec.directory());
        LocalCluster cluster = new LocalCluster(spec, installation, Instant.now(), lock(spec));
        cluster.refuseIfUp();
        return cluster;
    }

    /**
     * Starts all processes and waits until they are ready; once. {@link #close} may be called meanwhile, from another
     * thread.
     *
     * @param onReady told of each process when it is ready, from several threads
     * @throws CliException with {@link ExitCode#REFUSED} if a port is in use, with {@link ExitCode#FAILED} if a process
     *     does not become ready, this was closed, or somebody {@linkplain #stop(Path) stopped} the cluster; nothing is left
     *     running then
     */
    public void start(Consumer<ClusterProcess> onReady) throws IOException {
        try {
            startAll(onReady);
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    /**
     * What was stopped.
     *
     * @param running how many processes ran
     * @param killed those of them that had to be killed
     */
    public record Stopped(int running, List<ClusterProcess> killed) {}

    /**
     * Stops a cluster that any process started. Where one is about to start it, that one stops what this does not know of.
     *
     * @return empty if there was nothing to stop
     */
    public static Optional<Stopped> stop(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) {
            return Optional.empty();
        }
        try (FileChannel lockFile = openLock(directory)) {
            boolean held = !isLocked(lockFile);
            if (held) {
                StopMark.set(
                        directory); // What is not in the record yet is started by somebody who looks for the mark then.
            }
            Optional<ClusterFile> record = ClusterFile.read(directory);
            List<ClusterProcess> alive = record.map(ClusterFile::alive).orElse(List.of());
            Stopped stopped = new Stopped(alive.size(), Shutdown.stop(alive, STOP_BOUND));
            ClusterFile.delete(directory);
            return held || record.isPresent() ? Optional.of(stopped) : Optional.empty();
        }
    }

    /** All processes that were started, whether or not they still run. */
    public synchronized List<ClusterProcess> processes() {
        return List.copyOf(processes.values());
    }

    /**
     * One process.
     *
     * @throws IllegalArgumentException if there is none of that id
     */
    public synchronized ClusterProcess process(String id) {
        ClusterProcess process = processes.get(id);
        if (process == null) {
            throw new IllegalArgumentException("no process '" + id + "' in " + processes.keySet());
        }
        return process;
    }

    /** Where ZooKeeper listens. */
    public String zooKeeper() {
        return mainEndpoint(process(ZOOKEEPER)).toString();
    }

    /** Ends a process by SIGKILL, as a crash would, and waits until it is gone. Its ports are kept for {@link #restart}. */
    public void kill(String id) {
        ClusterProcess process = process(id);
        ProcessIdentity identity = process.identity();
        identity.kill();
        Shutdown.awaitUntil(() -> !identity.isAlive(), STOP_BOUND);
        ports.hold(process);
    }

    /** Starts a process again at the same addresses, after stopping it if it still runs. Does not wait until ready. */
    public ClusterProcess restart(String id) throws IOException {
        ClusterProcess old = process(id);
        Shutdown.stop(List.of(old), STOP_BOUND);
        ports.hold(old);
        return launch(planned(id).at(old.endpoints()));
    }

    /**
     * Waits until a process is ready.
     *
     * @throws CliException if it ends before, or needs longer than 90 s
     */
    public ClusterProcess awaitReady(String id) throws IOException {
        ClusterProcess ready = awaitLine(process(id));
        ports.release(id);
        remember(ready);
        return ready;
    }

    /** A process that was stopped did not fail. */
    private ClusterProcess awaitLine(ClusterProcess process) {
        try {
            return starter.awaitReady(process, READY_BOUND);
        } catch (CliException e) {
            refuseIfStopped();
            throw e;
        }
    }

    /** Stops all processes, starts no more, and keeps the data. Returns when all are gone, whoever closed first. */
    @Override
    public void close() throws IOException {
        synchronized (stopping) {
            if (markClosed()) {
                Shutdown.stop(processes(), STOP_BOUND);
                ClusterFile.delete(spec.directory());
                StopMark.delete(spec.directory());
                ports.close();
                lockFile.close();
            }
        }
    }

    private synchronized boolean markClosed() {
        boolean first = !closed;
        closed = true;
        return first;
    }

    /** Whether it was closed, or is being closed. */
    public synchronized boolean isClosed() {
        return closed;
    }

    /** Lets the processes run on without this object; {@link #stop(Path)} stops them. */
    public void detach() throws IOException {
        ports.close();
        lockFile.close();
    }

    private static FileChannel lock(ClusterSpec spec) throws IOException {
        FileChannel file = openLock(spec.directory());
        if (!isLocked(file)) {
            file.close();
            throw new CliException(
                    ExitCode.REFUSED,
                    "cluster '" + spec.name() + "' is up or about to be, from another terminal; 'albm down"
                            + spec.arguments() + "' stops it");
        }
        return file;
    }

    private static FileChannel openLock(Path directory) throws IOException {
        return FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }

    private static boolean isLocked(FileChannel file) throws IOException {
        try {
            return file.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            return false;
        }
    }

    private void refuseIfUp() throws IOException {
        List<ClusterProcess> recorded =
                ClusterFile.read(spec.directory()).map(ClusterFile::processes).orElse(List.of());
        int alive = ClusterFile.alive(recorded).size();
        if (alive > 0) {
            lockFile.close();
            throw new CliException(
                    ExitCode.REFUSED,
                    "cluster '" + spec.name() + "' is already up (" + alive + " of " + recorded.size()
                            + " processes in " + spec.directory()
                            + "); 'albm status" + spec.arguments() + "' shows it, 'albm down" + spec.arguments()
                            + "' stops it");
        }
    }

    private void startAll(Consumer<ClusterProcess> onReady) throws IOException {
        ClusterPlan clusterPlan = new ClusterPlan(spec);
        ProcessSpec first = clusterPlan.zooKeeper();
        refusePortsInUse(first, clusterPlan.others("127.0.0.1:0"));
        onReady.accept(launchAndAwait(first));
        startBounded(clusterPlan.others(zooKeeper()), onReady);
        refuseIfStopped();
    }

    private static void refusePortsInUse(ProcessSpec first, Collection<ProcessSpec> others) {
        List<ProcessSpec> all = new ArrayList<>(others);
        all.addFirst(first);
        for (ProcessSpec process : all) {
            process.ports().forEach((key, port) -> refuseIfInUse(process.id(), key, port));
        }
    }

    private static void refuseIfInUse(String id, String key, int port) {
        try (ServerSocket probe = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            probe.getLocalPort();
        } catch (IOException e) {
            String owner = PortOwner.of(port).map(PortOwner::toString).orElse("a process of another user");
            throw new CliException(
                    ExitCode.REFUSED,
                    key + " " + port + " of " + id + " is in use by " + owner
                            + "; stop that, or choose free ports with --ports auto",
                    e);
        }
    }

    private void startBounded(List<ProcessSpec> specs, Consumer<ClusterProcess> onReady) throws IOException {
        int atOnce = Math.max(2, Runtime.getRuntime().availableProcessors());
        ThreadFactory threads = Thread.ofVirtual().name("start-", 0).factory();
        try (ExecutorService executor = Executors.newFixedThreadPool(atOnce, threads)) {
            List<Future<?>> starts = new ArrayList<>();
            specs.forEach(process -> starts.add(executor.submit(() -> {
                onReady.accept(launchAndAwait(process));
                return null;
            })));
            for (Future<?> start : starts) {
                join(start, executor);
            }
        }
    }

    private static void join(Future<?> start, ExecutorService executor) throws IOException {
        try {
            start.get();
        } catch (ExecutionException e) {
            executor.shutdownNow();
            switch (e.getCause()) {
                case CliException cli -> throw cli;
                case IOException io -> throw io;
                case null, default -> throw new IllegalStateException("a process could not be started", e);
            }
        } catch (InterruptedException e) {
            executor.shutdownNow();
            Thread.currentThread().interrupt();
            throw new CliException(ExitCode.FAILED, "interrupted", e);
        }
    }

    private ClusterProcess launchAndAwait(ProcessSpec process) throws IOException {
        launch(process);
        return awaitReady(process.id());
    }

    private synchronized ClusterProcess launch(ProcessSpec process) throws IOException {
        refuseIfStopped();
        ClusterProcess launched = starter.start(process);
        plan.put(process.id(), process);
        remember(launched);
        refuseIfStopped(); // Who stops the cluster may have read the record just before this process came into it.
        return launched;
    }

    private void refuseIfStopped() {
        refuseIf(isClosed() || StopMark.isSetSince(started, spec.directory()));
    }

    private void refuseIf(boolean stopped) {
        if (stopped) {
            throw new CliException(ExitCode.FAILED, "cluster '" + spec.name() + "' was stopped");
        }
    }

    private synchronized ProcessSpec planned(String id) {
        ProcessSpec planned = plan.get(id);
        if (planned == null) {
            throw new IllegalArgumentException("no process '" + id + "' in " + plan.keySet());
        }
        return planned;
    }

    private synchronized void remember(ClusterProcess process) throws IOException {
        refuseIf(closed);
        processes.put(process.id(), process);
        ClusterProcess zooKeeper = processes.get(ZOOKEEPER);
        String address = zooKeeper == null || zooKeeper.endpoints().isEmpty()
                ? ""
                : mainEndpoint(zooKeeper).toString();
        new ClusterFile(spec.name(), address, started, processes()).write(spec.directory());
    }

    /** What a process listens on besides its admin port. */
    private static NodeAddress mainEndpoint(ClusterProcess process) {
        return process.endpoints().entrySet().stream()
                .filter(endpoint -> !endpoint.getKey().equals("admin"))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException(process.id() + " announced no endpoint"));
    }
}
