// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.cluster.CoordinationStore;
import io.albm.core.node.NodeId;
import io.albm.core.sim.FaultPlan;
import io.albm.core.sim.SimDirectory;
import io.albm.core.sim.SimNetwork;
import io.albm.core.sim.SimNode;
import io.albm.core.sim.Simulation;
import io.albm.storage.BlockId;
import io.albm.storage.Content;
import io.albm.storage.Extent;
import io.albm.storage.FileInfo;
import io.albm.storage.Segment;
import io.albm.storage.StripeCode;
import io.albm.storage.StripeGeometry;
import io.albm.storage.StripeLayout;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedFiles;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableQuery;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.ByteArrayOutputStream;
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
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The striped store in a simulated world: the production {@link StripedFiles} and {@link BlockStore}, on I/O nodes that
 * are killed between any two steps of their disks, stopped, cut off, and whose blocks rot.
 *
 * <p>Nodes may go in any number: what is sealed survives that, and is merely away. Damage to what is durable (bit rot, an
 * empty disk in the place of another) stays within the parity's tolerance: it is done only where all units but M - 1 of the
 * same stripes are whole. So whatever was published must be there at every moment.
 */
public final class SimIoNodes {
    private static final StripeSettings SETTINGS = new StripeSettings(64 * 1024, 4, 1, 3, Duration.ofSeconds(1));
    private static final Duration SCRUB_INTERVAL = Duration.ofSeconds(15);

    private final Simulation simulation;
    private final SimDirectory directory;
    private final SimFileTable table;
    private final SimNetwork network;
    private final SimIoFault fault;
    private final Map<NodeId, SimIoNode> nodes = new TreeMap<>();
    private final Map<NodeId, Double> live = new TreeMap<>();
    private final List<SimNode> clients = new ArrayList<>();
    private final Map<Content, Looked> looked = new HashMap<>();
    private final StripeSettings settings;

    /** Writes under way and how many disks each has lost blocks with. */
    private final Map<String, Integer> exposed = new HashMap<>();

    /** Known until the table changes. */
    private @Nullable Map<String, FileInfo> visible;

    /** A block where it should be. */
    private record Placed(SimIoNode node, BlockId block) {
        Optional<byte[]> good() {
            return node.good(block);
        }

        /** Good, and still good after a loss of power. */
        boolean isSafe() {
            return node.disk.isDurable(SimIoNode.fileOf(block)) && good().isPresent();
        }

        long version() {
            return node.disk.version(SimIoNode.fileOf(block));
        }
    }

    /** What could be read of a file, and of which state of its blocks. */
    private record Looked(long versions, Optional<byte[]> content) {}

    /**
     * @param count I/O nodes
     * @param parityUnits how many of them may be damaged at once, 0 to 2
     */
    public SimIoNodes(Simulation simulation, SimDirectory directory, int count, int parityUnits, SimIoFault fault) {
        this.settings = SETTINGS.withParityUnits(parityUnits);
        this.simulation = simulation;
        this.directory = directory;
        this.fault = fault;
        this.network = new SimNetwork(simulation, Duration.ofNanos(200_000), Duration.ofMillis(10));
        this.table = new SimFileTable(simulation, directory, () -> visible = null);
        for (int i = 1; i <= count; i++) {
            SimIoNode node = new SimIoNode(simulation, new NodeId("io-" + i), fault);
            nodes.put(node.id, node);
            live.put(node.id, 1.0);
            node.process.onChange(() -> changed(node));
            scrub(node);
        }
    }

    /** The store as a process sees it. */
    public StripedFiles filesOf(SimNode client, CoordinationStore session) {
        if (!clients.contains(client)) {
            clients.add(client);
        }
        return new StripedFiles(
                table.of(session),
                new SimBlockClient(network, client, nodes, fault),
                () -> Map.copyOf(live),
                settings,
                simulation.random());
    }

    /** Others hear of it late, as of a session's end; a service manager starts a dead node again. */
    private void changed(SimIoNode node) {
        if (!node.process.isUp()) {
            simulation.schedule(soon(5), "restart " + node.id, () -> restart(node));
        }
        simulation.schedule(simulation.between(Duration.ZERO, Duration.ofSeconds(3)), "membership", () -> {
            if (node.process.isResponsive()) {
                live.put(node.id, 1.0);
            } else {
                live.remove(node.id);
            }
        });
    }

    /** Each node looks after its own blocks, as {@link NodeScrubber} does. */
    private void scrub(SimIoNode node) {
        node.process.after(simulation.between(Duration.ZERO, SCRUB_INTERVAL), "scrub", () -> {
            CompletableFuture<?> scrubbed =
                    filesOf(node.process, directory.connect(node.process)).scrub(Set.of(node.id), progress -> {});
            var _ = scrubbed.whenComplete((report, failure) -> node.process.execute(() -> scrub(node)));
        });
    }

    /** Adds what can happen to I/O nodes, their disks and the network between. */
    public void addFaults(FaultPlan plan) {
        plan.add(6, "an I/O node loses power", () -> any().crashSoon())
                .add(1, "all I/O nodes lose power", () -> nodes.values().forEach(SimIoNode::crashSoon))
                .add(3, "stop an I/O node", () -> stop(any()))
                .add(4, "cut an I/O node off a client", () -> cut(any(), List.of(client())))
                .add(2, "cut an I/O node off all", () -> cut(any(), clients))
                .add(2, "block messages get lost", this::loseMessages)
                .add(8, "a block rots", this::rot)
                .add(2, "an I/O node gets an empty disk", () -> replaceDisk(any()));
    }

    /** Repairs what is not damage to a disk. */
    public void endFaults() {
        network.heal();
        network.loss(0);
        nodes.values().forEach(node -> node.process.resume());
    }

    private SimIoNode any() {
        return List.copyOf(nodes.values()).get(simulation.random().nextInt(nodes.size()));
    }

    private SimNode client() {
        return clients.get(simulation.random().nextInt(clients.size()));
    }

    private void restart(SimIoNode node) {
        if (!node.process.isUp()) {
            node.restart();
            scrub(node);
        }
    }

    private void stop(SimIoNode node) {
        node.process.pause();
        simulation.schedule(soon(8), "continue " + node.id, node.process::resume);
    }

    private void cut(SimIoNode node, List<SimNode> from) {
        from.forEach(client -> network.cut(node.process, client));
        simulation.schedule(soon(4), "heal block network", network::heal);
    }

    private void loseMessages() {
        network.loss(0.05);
        simulation.schedule(soon(4), "block messages arrive", () -> network.loss(0));
    }

    /** One block of a stripe that can bear it. */
    private void rot() {
        List<Placed> candidates = visible().values().stream()
                .flatMap(this::stripes)
                .filter(this::bearsOneMore)
                .flatMap(List::stream)
                .filter(Placed::isSafe)
                .toList();
        if (!candidates.isEmpty()) {
            Placed victim = candidates.get(simulation.random().nextInt(candidates.size()));
            victim.node().disk.rot(SimIoNode.fileOf(victim.block()));
        }
    }

    private boolean bearsOneMore(List<Placed> units) {
        return units.stream().filter(unit -> !unit.isSafe()).count() < parityUnits();
    }

    private int parityUnits() {
        return Objects.requireNonNull(settings.parityUnits());
    }

    /** Of a node whose blocks the others can make again. A write under way may rely on M such losses, not on more. */
    private void replaceDisk(SimIoNode node) {
        Set<String> writes = table.state().announced();
        exposed.keySet().retainAll(writes);
        boolean tolerable = exposed.values().stream().allMatch(losses -> losses < parityUnits())
                && visible().values().stream()
                        .flatMap(this::stripes)
                        .map(stripe -> stripe.stream()
                                .filter(placed -> placed.node() != node)
                                .toList())
                        .allMatch(this::bearsOneMore);
        if (tolerable && node.process.isUp()) {
            writes.forEach(write -> exposed.merge(write, 1, Integer::sum));
            node.crash();
            node.disk.wipe();
        }
    }

    private Duration soon(int seconds) {
        return simulation.between(Duration.ofMillis(200), Duration.ofSeconds(seconds));
    }

    /** Grows with everything that may change what can be read. */
    public long changes() {
        long changes = 0;
        for (SimIoNode node : nodes.values()) {
            changes += node.disk.changes();
        }
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
            page = (TableAnswer.Files) table.state().answer(new TableQuery.Files("/", after, TableQuery.MAX_PAGE));
            files.addAll(page.files());
        } while (page.more());
        return files;
    }

    /** The published content of a path, if the disks still have enough of it; for checks, costs no message. */
    public Optional<byte[]> content(String path) {
        FileInfo file = visible().get(path);
        if (file == null) {
            return Optional.empty();
        }
        long versions =
                stripes(file).flatMap(List::stream).mapToLong(Placed::version).sum();
        Looked before = looked.get(file.content());
        if (before == null || before.versions() != versions) {
            before = new Looked(versions, assemble(file));
            looked.put(file.content(), before);
        }
        return before.content();
    }

    /** Whether every block of every published file is good and durable, and no node has a block of anything else. */
    public boolean isClean() {
        Set<String> needed = new HashSet<>(table.state().announced());
        Map<String, FileInfo> files = visible();
        files.values().stream()
                .flatMap(file -> file.content().segments().stream())
                .filter(segment -> !segment.isInline())
                .forEach(segment -> needed.add(segment.generation()));
        return files.values().stream()
                        .flatMap(this::stripes)
                        .flatMap(List::stream)
                        .allMatch(Placed::isSafe)
                && nodes.values().stream()
                        .flatMap(node -> node.disk.directories("blocks").stream())
                        .allMatch(needed::contains);
    }

    /** The blocks of each stripe, by unit; units past a segment's end have none. */
    private Stream<List<Placed>> stripes(FileInfo file) {
        return file.content().segments().stream()
                .filter(segment -> !segment.isInline())
                .flatMap(this::stripes);
    }

    private Stream<List<Placed>> stripes(Segment segment) {
        StripeLayout layout = segment.layout();
        StripeGeometry geometry = segment.geometry();
        return LongStream.range(0, segment.stripes())
                .mapToObj(stripe -> IntStream.range(0, geometry.width())
                        .filter(unit -> geometry.unitLength(geometry.bytesInStripe(segment.length(), stripe), unit) > 0)
                        .mapToObj(unit -> new BlockId(segment.generationId(), stripe, unit))
                        .map(block -> new Placed(node(layout.nodeOf(stripe, block.unit())), block))
                        .toList());
    }

    private SimIoNode node(NodeId id) {
        return Objects.requireNonNull(nodes.get(id), id::value);
    }

    /** Independent of the production reader, so that the two can be held against each other. */
    private Optional<byte[]> assemble(FileInfo file) {
        byte[] content = new byte[(int) file.length()];
        for (Segment segment : file.content().segments()) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            if (segment.inline() != null) {
                bytes.writeBytes(segment.inline().toArray());
            } else if (!stripes(segment).allMatch(stripe -> assemble(stripe, segment, bytes))) {
                return Optional.empty();
            }
            for (Extent extent : file.content().extents()) {
                if (extent.generation().equals(segment.generation())) {
                    System.arraycopy(bytes.toByteArray(), (int) extent.from(), content, (int) extent.at(), (int)
                            extent.length());
                }
            }
        }
        return Optional.of(content);
    }

    private static boolean assemble(List<Placed> stripe, Segment segment, ByteArrayOutputStream to) {
        Map<Integer, ByteBuf> known = new TreeMap<>();
        List<Integer> lost = new ArrayList<>();
        for (Placed placed : stripe) {
            int unit = placed.block().unit();
            placed.good().ifPresentOrElse(body -> known.put(unit, Unpooled.wrappedBuffer(body)), () -> lost.add(unit));
        }
        StripeGeometry geometry = segment.geometry();
        if (lost.size() > geometry.parityUnits()) {
            return false;
        }
        List<ByteBuf> made = StripeCode.restore(
                geometry.dataUnits(), known, lost, geometry.unitBytes(), UnpooledByteBufAllocator.DEFAULT);
        for (int i = 0; i < lost.size(); i++) {
            known.put(lost.get(i), made.get(i));
        }
        for (Placed placed : stripe.subList(0, stripe.size() - geometry.parityUnits())) {
            int unit = placed.block().unit();
            int bytes = geometry.bytesInStripe(segment.length(), placed.block().stripe());
            ByteBuf body = Objects.requireNonNull(known.get(unit));
            to.writeBytes(ByteBufUtil.getBytes(body, 0, geometry.unitLength(bytes, unit)));
        }
        made.forEach(ByteBuf::release);
        return true;
    }
}
