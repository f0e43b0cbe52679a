// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.cluster.CoordinationStore;
import io.albm.core.node.NodeId;
import io.albm.core.sim.FaultPlan;
import io.albm.core.sim.SimDirectory;
import io.albm.core.sim.SimNetwork;
import io.albm.core.sim.SimNode;
import io.albm.core.sim.Simulation;
import io.albm.storage.Content;
import io.albm.storage.FileInfo;
import io.albm.storage.LiveNodes;
import io.albm.storage.Segment;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedFiles;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableQuery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The striped store in a simulated world: the production {@link StripedFiles} and {@link BlockStore}, on I/O nodes that
 * are killed between any two steps of their disks, stopped, cut off, and whose blocks rot ({@link SimIoFaults}).
 *
 * <p>Nodes may go in any number: what is sealed survives that, and is merely away. Damage to what is durable (bit rot, an
 * empty disk in the place of another) stays within the parity's tolerance. So whatever was published must be there at every
 * moment.
 */
public final class SimIoNodes {
    private static final StripeSettings SETTINGS = new StripeSettings(64 * 1024, 4, 1, 3, Duration.ofSeconds(1));
    private static final Duration SCRUB_INTERVAL = Duration.ofSeconds(15);

    private final Simulation simulation;
    private final SimDirectory directory;
    private final StripeSettings settings;
    private final SimIoFault fault;
    private final SimNames names;
    private final SimNetwork network;
    private final SimSegments segments;
    private final Map<NodeId, SimIoNode> nodes = new TreeMap<>();
    private final Map<NodeId, Double> up = new TreeMap<>();
    private final Set<NodeId> retiring = new HashSet<>();
    private final List<SimNode> clients = new ArrayList<>();
    private final Map<String, Shown> shown = new HashMap<>();
    private Live live = new Live(Map.of(), Set.of());
    private long changes;
    private long notCleanAt;
    private boolean isCalm;

    /** Known until the table changes. */
    private @Nullable Map<String, FileInfo> visible;

    /** A process asks for it with every request, and it changes seldom. */
    private record Live(Map<NodeId, Double> weights, Set<NodeId> retiring) implements LiveNodes {}

    /** What could be read of a file, and when. */
    private record Shown(FileInfo file, long changes, Optional<byte[]> bytes) {}

    /**
     * Nodes whose file table is a {@link SimFileTable}.
     *
     * @param count I/O nodes
     * @param parityUnits how many of them may be damaged at once, 0 to 2
     */
    public SimIoNodes(Simulation simulation, SimDirectory directory, int count, int parityUnits, SimIoFault fault) {
        this(
                simulation,
                directory,
                processes(simulation, count),
                SETTINGS.withParityUnits(parityUnits),
                fault,
                new SimFileTable(simulation, directory));
    }

    /** @param processes of the I/O nodes */
    SimIoNodes(
            Simulation simulation,
            SimDirectory directory,
            List<SimNode> processes,
            StripeSettings settings,
            SimIoFault fault,
            SimNames names) {
        this.simulation = simulation;
        this.directory = directory;
        this.settings = settings;
        this.fault = fault;
        this.names = names;
        this.network = new SimNetwork(simulation, Duration.ofNanos(200_000), Duration.ofMillis(10));
        this.segments = new SimSegments(this::nodesOf, Objects.requireNonNull(settings.parityUnits()));
        names.onChange(this::tableChanged);
        processes.forEach(this::add);
    }

    static List<SimNode> processes(Simulation simulation, int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(number -> new SimNode(simulation, "io-" + number))
                .toList();
    }

    private void add(SimNode process) {
        SimIoNode node = new SimIoNode(process, simulation, fault, this::diskChanged);
        nodes.put(node.id, node);
        join(node);
        process.onChange(() -> changed(node));
        scrubOn(node);
    }

    private List<SimIoNode> nodesOf(Segment segment) {
        return segment.nodes().stream().map(this::node).toList();
    }

    private SimIoNode node(NodeId id) {
        return Objects.requireNonNull(nodes.get(id), id::value);
    }

    List<SimIoNode> nodes() {
        return List.copyOf(nodes.values());
    }

    List<SimNode> clients() {
        return clients;
    }

    SimNetwork network() {
        return network;
    }

    SimSegments segments() {
        return segments;
    }

    /** The store as a process sees it. */
    public StripedFiles filesOf(SimNode client, CoordinationStore session) {
        if (!clients.contains(client)) {
            clients.add(client);
        }
        SimBlockClient blocks = new SimBlockClient(network, client, nodes, fault);
        return new StripedFiles(
                fault.table(names.of(client, session), blocks, () -> names.of(client, directory.connect(client))),
                blocks,
                new LiveNodes() {
                    @Override
                    public Map<NodeId, Double> weights() {
                        return live.weights();
                    }

                    @Override
                    public Set<NodeId> retiring() {
                        return live.retiring();
                    }
                },
                settings,
                simulation.random(),
                SimAllocator.INSTANCE);
    }

    /** Nobody begins to write to a node any more, or may again. */
    void retire(NodeId node, boolean leaves) {
        if (leaves) {
            retiring.add(node);
        } else {
            retiring.remove(node);
        }
        tell();
    }

    private void join(SimIoNode node) {
        up.put(node.id, 1.0);
        tell();
    }

    private void leave(SimIoNode node) {
        up.remove(node.id);
        tell();
    }

    private void tell() {
        live = new Live(Map.copyOf(up), Set.copyOf(retiring));
    }

    /** Others hear of it late, as of a session's end; a service manager starts a dead node again. */
    private void changed(SimIoNode node) {
        if (!node.process.isUp()) {
            simulation.schedule(untilRestart(), "restart", () -> restart(node));
        }
        simulation.schedule(simulation.between(Duration.ZERO, Duration.ofSeconds(3)), "membership", () -> {
            if (node.process.isResponsive()) {
                join(node);
            } else {
                leave(node);
            }
        });
    }

    /** It may be back before who has written to it seals, and before anybody hears that it was gone. */
    private Duration untilRestart() {
        return simulation.chance(0.5)
                ? simulation.between(Duration.ofMillis(20), Duration.ofMillis(200))
                : simulation.between(Duration.ofMillis(200), Duration.ofSeconds(5));
    }

    private void restart(SimIoNode node) {
        if (!node.process.isUp()) {
            node.restart(!isCalm);
            if (node.process.isUp()) {
                scrubOn(node);
            }
        }
    }

    /** Each node looks after its own blocks, as {@link NodeScrubber} does. */
    private void scrubOn(SimIoNode node) {
        StripedFiles files = filesOf(node.process, directory.connect(node.process));
        scrub(node, files);
    }

    private void scrub(SimIoNode node, StripedFiles files) {
        node.process.after(simulation.between(Duration.ZERO, SCRUB_INTERVAL), "scrub", () -> {
            CompletableFuture<?> scrubbed = files.scrub(Set.of(node.id), progress -> {});
            var _ = scrubbed.whenComplete((report, failure) -> node.process.execute(() -> {
                if (failure == null) {
                    scrub(node, files);
                } else {
                    scrubOn(node);
                }
            }));
        });
    }

    /** Adds what can happen to I/O nodes, their disks and the network between. */
    public void addFaults(FaultPlan plan) {
        SimIoFaults faults = new SimIoFaults(simulation, this);
        faults.addAbsences(plan);
        faults.addDamage(plan);
    }

    /** Repairs what is not damage to a disk. */
    public void endFaults() {
        isCalm = true;
        network.heal();
        network.loss(0);
        nodes.values().forEach(SimIoNode::calm);
    }

    boolean isCalm() {
        return isCalm;
    }

    /** Whether all nodes are there, and known to be. */
    boolean isUp() {
        return up.size() == nodes.size() && nodes.values().stream().allMatch(node -> node.process.isResponsive());
    }

    private void diskChanged(SimIoNode node, String file) {
        changes++;
        segments.diskChanged(node, file);
    }

    private void tableChanged() {
        changes++;
        visible = null;
        segments.tableChanged(visible().values(), names.state().announced());
    }

    /** Grows with everything that changes on a disk or in the file table. */
    public long changes() {
        return changes;
    }

    /** All published files by path. */
    public Map<String, FileInfo> visible() {
        if (visible == null) {
            visible =
                    files().stream().collect(Collectors.toMap(FileInfo::path, file -> file, (a, b) -> a, TreeMap::new));
        }
        return visible;
    }

    private List<FileInfo> files() {
        List<FileInfo> files = new ArrayList<>();
        TableAnswer.Files page;
        do {
            String after = files.isEmpty() ? null : files.getLast().path();
            page = (TableAnswer.Files) names.state().answer(new TableQuery.Files("/", after, TableQuery.MAX_PAGE));
            files.addAll(page.files());
        } while (page.more());
        return files;
    }

    /**
     * The published content of a path, if the disks still have enough of it; for checks, costs no message. The same array
     * until it changes.
     */
    @SuppressWarnings("ReferenceEquality") // the table gives the same until it changes
    public Optional<byte[]> content(String path) {
        FileInfo file = visible().get(path);
        if (file == null) {
            return Optional.empty();
        }
        Shown before = shown.get(path);
        if (before == null || before.changes() != changes || before.file() != file) {
            before = new Shown(file, changes, bytes(file.content(), before));
            shown.put(path, before);
        }
        return before.bytes();
    }

    @SuppressWarnings("ReferenceEquality") // the same file has the same content until it changes
    private Optional<byte[]> bytes(Content content, @Nullable Shown before) {
        return before != null
                        && before.file().content() == content
                        && before.bytes().isPresent()
                        && segments.isReadable(content)
                ? before.bytes()
                : segments.bytes(content);
    }

    /** Whether every block of every published file is good and durable, and no node has a block of anything else. */
    public boolean isClean() {
        if (notCleanAt == changes) {
            return false;
        }
        boolean isClean = segments.isWhole()
                && nodes.values().stream().allMatch(node -> garbage(node).isEmpty());
        notCleanAt = isClean ? 0 : changes;
        return isClean;
    }

    /** What is not clean, in words. */
    @Override
    public String toString() {
        return "missing: " + segments.missing() + ", too much: "
                + nodes.values().stream()
                        .flatMap(node -> garbage(node).stream().map(file -> node.id + " " + file))
                        .toList();
    }

    /**
     * Generations that nobody needs there, or will. A single block that a move has left may stay as long as the node holds
     * others of its segment: a removal was undone by a loss of power, or a repair came late.
     */
    private List<String> garbage(SimIoNode node) {
        Set<String> announced = names.state().announced();
        return node.disk.directories(BlockStore.BLOCKS).stream()
                .filter(generation -> !announced.contains(generation) && !segments.isNeeded(node, generation))
                .toList();
    }
}
