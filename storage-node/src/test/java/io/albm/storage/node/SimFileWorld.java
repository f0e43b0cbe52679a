// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.sim.FaultPlan;
import io.albm.core.sim.SimDirectory;
import io.albm.core.sim.SimNode;
import io.albm.core.sim.Simulation;
import io.albm.storage.Content;
import io.albm.storage.FileInfo;
import io.albm.storage.StorageException;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedFiles;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Clients that change files and read each other's on the striped store, an operator who scrubs and moves, and faults of all
 * of them, the I/O nodes and the coordination between. One seed is one world; everything in it, its size too, follows from
 * the seed.
 *
 * <p>What must hold is looked at after every event: what was acknowledged is there, as it was written, on disks that may lose
 * power at that moment; of what was not, the old or the new content, wholly. In the end everything is whole, and nothing else
 * is left.
 */
final class SimFileWorld {
    private static final Duration SESSION = Duration.ofSeconds(4);
    private static final Duration PEACE = Duration.ofMinutes(3);

    /** After that long everything is durable that was answered before it was. */
    private static final Duration SOON_DURABLE = Duration.ofSeconds(2);

    private static final int FILES_PER_CLIENT = 3;

    /** Stands for no file. */
    private static final Content NONE = new Content(-1, 0, List.of(), List.of());

    private final Simulation simulation;
    private final SimDirectory directory;
    private final WorldTable table;
    private final SimIoNodes nodes;
    private final int unitBytes;
    private final List<FileHistory> files = new ArrayList<>();
    private final List<SimFileClient> clients = new ArrayList<>();
    private final List<SimOperator> operators;
    private final FaultPlan plan;
    private final Map<FileHistory, Content> judged = new HashMap<>();
    private @Nullable Throwable broken;
    private boolean isEnding;
    private boolean isPeaceful;
    private boolean isTableChanged;
    private int acknowledged;
    private int read;

    /** What happened in a world. */
    record Result(int acknowledged, int read, int faults, long events) {}

    /** How the file table of a world is made. */
    @FunctionalInterface
    interface TableMaker {
        /**
         * Makes it.
         *
         * @param processes of the I/O nodes
         */
        WorldTable make(Simulation simulation, SimDirectory directory, List<SimNode> processes);
    }

    /**
     * A world whose file table is a {@link SimFileTable}.
     *
     * @param parityUnits M
     */
    SimFileWorld(long seed, int parityUnits, SimIoFault fault) {
        this(seed, parityUnits, fault, (simulation, directory, processes) -> new SimFileTable(simulation, directory));
    }

    /** @param parityUnits M */
    SimFileWorld(long seed, int parityUnits, SimIoFault fault, TableMaker maker) {
        simulation = new Simulation(seed);
        directory = new SimDirectory(simulation, SESSION);
        SplittableRandom random = simulation.random();
        int dataUnits = 1 + random.nextInt(4);
        int count = dataUnits + parityUnits + random.nextInt(3);
        unitBytes = 4096 << (random.nextInt(16) == 0 ? 4 + random.nextInt(2) : random.nextInt(2));
        StripeSettings settings =
                new StripeSettings(unitBytes, dataUnits, parityUnits, 1 + random.nextInt(3), Duration.ofSeconds(1));
        List<SimNode> processes = SimIoNodes.processes(simulation, count);
        table = maker.make(simulation, directory, processes);
        nodes = new SimIoNodes(simulation, directory, processes, settings, fault, table);
        table.onChange(() -> isTableChanged = true);
        IntStream.range(0, 2 + random.nextInt(2)).forEach(this::addClient);
        operators = IntStream.rangeClosed(1, 1 + random.nextInt(3))
                .mapToObj(number -> new SimOperator(this, new SimNode(simulation, "operator-" + number), nodes))
                .toList();
        plan = plan();
        simulation.invariant(this::check);
    }

    private void addClient(int number) {
        List<FileHistory> own = IntStream.range(0, FILES_PER_CLIENT)
                .mapToObj(file -> new FileHistory("/c" + number + "-f" + file, table.isLasting()))
                .toList();
        files.addAll(own);
        clients.add(new SimFileClient(this, new SimNode(simulation, "client-" + number), own));
    }

    private FaultPlan plan() {
        FaultPlan faults = new FaultPlan(simulation, simulation.between(Duration.ofMillis(300), Duration.ofSeconds(2)))
                .add(5, "kill a client", () -> any(clients).process().crash())
                .add(4, "stop a client", () -> stop(any(clients).process()))
                .add(3, "kill an operator", () -> any(operators).process().crash())
                .add(2, "stop an operator", () -> stop(any(operators).process()))
                .add(2, "cut a client off the directory", () -> cut(any(clients).process()))
                .add(3, "directory connections break", this::breakCommits);
        table.addFaults(faults, new SimIoFaults(simulation, nodes));
        return faults;
    }

    private void stop(SimNode process) {
        process.pause();
        simulation.schedule(
                simulation.between(Duration.ofMillis(100), Duration.ofSeconds(8)), "continue", process::resume);
    }

    private void cut(SimNode process) {
        directory.cut(process);
        simulation.schedule(
                simulation.between(Duration.ofMillis(100), Duration.ofSeconds(3)), "heal directory", directory::heal);
    }

    private void breakCommits() {
        directory.breakCommits(0.5);
        simulation.schedule(
                simulation.between(Duration.ofMillis(100), Duration.ofSeconds(2)),
                "directory connections hold",
                () -> directory.breakCommits(0));
    }

    Simulation simulation() {
        return simulation;
    }

    private <T> T any(List<T> all) {
        return all.get(simulation.random().nextInt(all.size()));
    }

    FileHistory anyFile() {
        return any(files);
    }

    /** In the file table, as copies, in a stripe, in several. */
    int anyFileBytes() {
        SplittableRandom random = simulation.random();
        return switch (random.nextInt(8)) {
            case 0 -> random.nextInt(4097);
            case 1, 2 -> random.nextInt(unitBytes + 1);
            case 3 -> unitBytes * (1 + random.nextInt(6));
            default -> random.nextInt(7 * unitBytes);
        };
    }

    int mostPieceBytes() {
        return 2 * unitBytes;
    }

    /** The store as a process sees it that has a new session. */
    StripedFiles connect(SimNode process) {
        return nodes.filesOf(process, directory.connect(process));
    }

    /** The same for a process that changes files. */
    StripedFiles connectClient(SimNode process) {
        return table.forClients(connect(process));
    }

    /** Completes when a client may rely on all that it was answered. */
    CompletableFuture<Void> rely(StripedFiles store) {
        return table.rely(store);
    }

    /** Whether nobody is to begin anything. */
    boolean isEnding() {
        return isEnding;
    }

    void acknowledged(Collection<FileHistory> changed) {
        acknowledged++;
        judged.keySet().removeAll(changed);
        isTableChanged = true;
    }

    void read(int ranges) {
        read += ranges;
    }

    /** A request may fail as long as there are faults. */
    void mayFail(Throwable failure) {
        if (isPeaceful || !(failure instanceof StorageException)) {
            throw new AssertionError("NOTHING FAILS WITHOUT A REASON: " + failure, failure);
        }
    }

    /** What goes wrong where futures would keep it to themselves. */
    void failOn(@Nullable Throwable failure) {
        if (failure != null && broken == null) {
            broken = SimRetry.cause(failure);
        }
    }

    /** Runs a step whose failure futures would keep to themselves. */
    void now(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException | AssertionError failure) {
            failOn(failure);
        }
    }

    private void check() {
        List<String> harm = nodes.segments().harm();
        if (broken != null) {
            throw new AssertionError(broken.getMessage(), broken);
        }
        if (!harm.isEmpty()) {
            throw new AssertionError(harm.getFirst());
        }
        if (isTableChanged) {
            isTableChanged = false;
            if (table.isLasting()) {
                files.forEach(this::judge);
            }
        }
    }

    @SuppressWarnings("ReferenceEquality") // the table gives the same content until it changes
    private void judge(FileHistory file) {
        FileInfo now = nodes.visible().get(file.path());
        Content content = now == null ? NONE : now.content();
        if (judged.put(file, content) != content) {
            Optional<byte[]> bytes = nodes.content(file.path());
            if (now != null && bytes.isEmpty()) {
                throw new AssertionError("NOTHING ACKNOWLEDGED IS LOST: too little is there of " + file);
            }
            if (!file.allows(bytes.orElse(null))) {
                throw new AssertionError("THE OLD CONTENT OR THE NEW: " + file + " is neither");
            }
            bytes.ifPresent(all -> judgeChecksum(file, content, all));
        }
    }

    private static void judgeChecksum(FileHistory file, Content content, byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        if (content.crc32c() != Content.UNKNOWN && content.crc32c() != crc.getValue()) {
            throw new AssertionError("A CHECKSUM IS THAT OF ITS FILE: not that of " + file);
        }
    }

    /** Lives to its end. Throws an {@link AssertionError} that names the seed if something does not hold. */
    Result run() {
        clients.forEach(SimFileClient::begin);
        operators.forEach(SimOperator::begin);
        Duration trouble = simulation.between(Duration.ofSeconds(3), Duration.ofSeconds(15));
        plan.begin(trouble);
        simulation.runFor(trouble);
        isEnding = true;
        endFaults();
        simulation.runUntil(
                () -> clients.stream().allMatch(SimFileClient::isResting),
                PEACE,
                "that each client knows what it has done");
        clients.forEach(client -> client.process().crash());
        operators.forEach(operator -> operator.process().crash());
        audit();
        simulation.runUntil(nodes::isClean, PEACE, nodes);
        simulation.runFor(SOON_DURABLE);
        nodes.nodes().forEach(SimIoNode::crash);
        audit();
        return new Result(acknowledged, read, plan.happened(), simulation.executed());
    }

    private void endFaults() {
        directory.heal();
        directory.breakCommits(0);
        nodes.endFaults();
        table.endFaults();
        clients.forEach(client -> client.process().resume());
    }

    /** Everything can be read, with what is damaged not repaired yet. */
    private void audit() {
        simulation.runUntil(() -> nodes.isUp() && table.isServed(), PEACE, "that all nodes are there");
        SimNode auditor = new SimNode(simulation, "auditor");
        StripedFiles store = connect(auditor);
        SimFileReads reads = new SimFileReads(this, auditor);
        isPeaceful = true;
        List<CompletableFuture<Integer>> seen =
                files.stream().map(file -> reads.whole(store, file)).toList();
        simulation.runUntil(() -> seen.stream().allMatch(CompletableFuture::isDone), PEACE, "the audit");
        isPeaceful = false;
    }
}
