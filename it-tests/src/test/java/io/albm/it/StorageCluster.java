// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static io.albm.it.RoleUnderTest.await;

import io.albm.core.cluster.Cluster;
import io.albm.core.json.Json;
import io.albm.core.local.ClusterProcess;
import io.albm.core.local.ClusterSpec;
import io.albm.core.local.Installation;
import io.albm.core.local.LocalCluster;
import io.albm.core.net.Transport;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.time.MonotonicClock;
import io.albm.core.wire.FrameClient;
import io.albm.core.zookeeper.ZooKeeperCluster;
import io.albm.storage.BlockClient;
import io.albm.storage.FileTable;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedFiles;
import io.albm.storage.StripedStore;
import io.albm.storage.WireBlockClient;
import io.albm.storage.table.Delay;
import io.albm.storage.table.LeasedFileTable;
import io.albm.storage.table.RemoteFileTable;
import io.albm.storage.table.WireTableLink;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Storage nodes and a ZooKeeper as processes, what can be done to them, and a client of theirs. */
final class StorageCluster implements AutoCloseable {
    static final String NAME = "storage-faults";
    static final int UNIT = 64 * 1024;
    static final int NODES = 5;

    static final String ZOOKEEPER = "zookeeper";

    /** What a client waits for a node that hangs: less than a session lasts, so that it is still a member then. */
    private static final Duration BLOCK_DEADLINE = Duration.ofSeconds(3);

    private final Path directory;
    private final LocalCluster processes;
    private final Transport transport = Transport.open(1);
    private final FrameClient frames = new FrameClient(transport);
    private final Cluster members;
    private final FileTable table;

    /** @param capacity of each node, as its configuration takes it */
    StorageCluster(Path directory, String capacity) throws IOException {
        this.directory = directory;
        Path docs = Files.createDirectories(directory.resolve("docs"));
        ClusterSpec spec = ClusterSpec.of(NAME, directory.resolve(".albm"), docs)
                .sized(0, NODES)
                .onFreePorts()
                .with(Role.STORAGE_NODE, "capacity", capacity);
        processes = LocalCluster.start(spec, new Installation(Albm.home()), process -> {});
        members = ZooKeeperCluster.connect(processes.zooKeeper(), NAME);
        table = table(RemoteFileTable.DEADLINE);
        awaitWhole();
    }

    /** The file table, for a client with another patience. */
    FileTable table(Duration deadline) {
        return new LeasedFileTable(new RemoteFileTable(
                members.store(),
                new WireTableLink(frames, node -> endpoint(node, RemoteFileTable.ENDPOINT)),
                Delay.system(),
                MonotonicClock.system(),
                () -> UUID.randomUUID().toString(),
                deadline));
    }

    FileTable table() {
        return table;
    }

    /** The store of a client that spreads files over all nodes. */
    StripedStore store(int parityUnits) {
        return store(parityUnits, blocks -> blocks);
    }

    /** @param between what stands between the store and its nodes */
    StripedStore store(int parityUnits, UnaryOperator<BlockClient> between) {
        return store(NODES - parityUnits, parityUnits, between);
    }

    /** The store of a client that keeps each stripe on two nodes. */
    StripedStore mirrored() {
        return store(1, 1, blocks -> blocks);
    }

    private StripedStore store(int dataUnits, int parityUnits, UnaryOperator<BlockClient> between) {
        BlockClient blocks = new WireBlockClient(frames, node -> endpoint(node, StripedStore.ENDPOINT), BLOCK_DEADLINE);
        StripeSettings settings = new StripeSettings(UNIT, dataUnits, parityUnits, 3, BLOCK_DEADLINE);
        return new StripedStore(
                new StripedFiles(table, between.apply(blocks), this::weights, settings, new SecureRandom()));
    }

    private Optional<NodeAddress> endpoint(NodeId node, String use) {
        return Optional.ofNullable(storageNodes().get(node)).flatMap(member -> member.endpoint(use));
    }

    private Map<NodeId, Member> storageNodes() {
        return members.members(Role.STORAGE_NODE).get();
    }

    private Map<NodeId, Double> weights() {
        return storageNodes().keySet().stream().collect(Collectors.toMap(node -> node, node -> 1.0));
    }

    static List<String> nodes() {
        return IntStream.rangeClosed(1, NODES).mapToObj(n -> "storage-" + n).toList();
    }

    /** The node that leads the file table. */
    String leader() {
        return await().until(() -> nodes().stream().filter(this::isLeader).findFirst(), Optional::isPresent)
                .orElseThrow();
    }

    private boolean isLeader(String id) {
        return RoleUnderTest.get(processes.process(id).endpoint(Member.ADMIN), "/metrics")
                .body()
                .lines()
                .anyMatch("albm_table_leading 1.0"::equals);
    }

    /** Kills or stops a process. */
    void lose(String id, Signal how) {
        if (how == Signal.KILL) {
            processes.kill(id);
        } else {
            how.to(processes.process(id).pid());
        }
    }

    /** Lets processes that were stopped go on, and starts those that were killed, at the addresses that they had. */
    void getBack(List<String> ids) throws IOException {
        List<String> started = new ArrayList<>();
        for (String id : ids) {
            ClusterProcess process = processes.process(id);
            if (process.identity().isAlive()) {
                Signal.CONT.to(process.pid());
            } else {
                processes.restart(id);
                started.add(id);
            }
        }
        for (String id : started) {
            processes.awaitReady(id);
        }
    }

    private boolean isMember(String id) {
        Member member = storageNodes().get(new NodeId(id));
        return member != null
                && member.attribute("pid")
                        .filter(Long.toString(processes.process(id).pid())::equals)
                        .isPresent();
    }

    /** Until every node is ready without reserve and a member, and one leads the file table. */
    void awaitWhole() {
        for (String id : nodes()) {
            await().alias(id + " is ready and a member").until(() -> isReady(id) && isMember(id));
        }
        leader();
    }

    private boolean isReady(String id) {
        ClusterProcess process = processes.process(id);
        HttpResponse<String> health = RoleUnderTest.get(process.endpoint(Member.ADMIN), "/health/ready");
        return health.statusCode() == 200
                && Json.tree(health.body()).path("reasons").isEmpty();
    }

    /** What a node keeps on its disk. */
    Path data(String id) {
        return directory.resolve(".albm").resolve(NAME).resolve("data").resolve(id);
    }

    /** The files of all blocks of a node; of one generation, unless that is empty. */
    List<Path> blockFiles(String id, String generation) throws IOException {
        Path blocks = data(id).resolve("blocks").resolve(generation);
        if (!Files.exists(blocks)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(blocks)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /** Bytes of all blocks of each node, as they are on its disk. */
    Map<NodeId, Long> bytesOnDisk() throws IOException {
        Map<NodeId, Long> bytes = new TreeMap<>();
        for (String id : nodes()) {
            long sum = 0;
            for (Path file : blockFiles(id, "")) {
                sum += Files.size(file);
            }
            bytes.put(new NodeId(id), sum);
        }
        return bytes;
    }

    /** Starts a command about this cluster. */
    Process start(String... command) throws IOException {
        return Albm.in(directory)
                .start(
                        Files.createTempFile(directory, "command", ".out"),
                        Files.createTempFile(directory, "command", ".err"),
                        ofThisCluster(command));
    }

    /** Runs a command about this cluster to its end. */
    Albm.Result run(String... command) throws IOException, InterruptedException {
        return Albm.in(directory).run(ofThisCluster(command));
    }

    private static String[] ofThisCluster(String... command) {
        return Stream.concat(Stream.of(command), Stream.of("--cluster", NAME)).toArray(String[]::new);
    }

    /** Starts one storage node more, which is a member when this returns. */
    RoleUnderTest startSpare(String id) throws IOException {
        RoleUnderTest spare = RoleUnderTest.start(
                directory,
                "storage-node",
                "--id",
                id,
                "--cluster",
                NAME,
                "--zookeeper",
                processes.zooKeeper(),
                "--port",
                "0",
                "--admin-port",
                "0",
                "--data",
                directory.resolve(id).toString());
        await().until(() -> storageNodes().containsKey(new NodeId(id)));
        return spare;
    }

    @Override
    public void close() throws IOException {
        frames.close();
        members.close();
        transport.close();
        processes.close();
    }
}
