// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.cluster.Operation;
import io.albm.core.cluster.Registration;
import io.albm.core.cluster.Subscription;
import io.albm.core.cluster.View;
import io.albm.core.net.Transport;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.time.MonotonicClock;
import io.albm.core.wire.FrameClient;
import io.albm.core.wire.FrameServer;
import io.albm.core.zookeeper.EmbeddedZooKeeper;
import io.albm.core.zookeeper.ZooKeeperCluster;
import io.albm.storage.BlockClient;
import io.albm.storage.FailureDomain;
import io.albm.storage.FileTable;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedFiles;
import io.albm.storage.StripedStore;
import io.albm.storage.TableCommand;
import io.albm.storage.WireBlockClient;
import io.albm.storage.table.LeasedFileTable;
import io.albm.storage.table.RemoteFileTable;
import io.albm.storage.table.TableEnsemble;
import io.albm.storage.table.TableNode;
import io.albm.storage.table.WireTableLink;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** Real I/O nodes on real sockets and disks, with a real ZooKeeper for the file table, in one process. */
public final class StorageRig implements AutoCloseable {
    static final int UNIT = 64 * 1024;
    static final StripeSettings SETTINGS = new StripeSettings(UNIT, 4, 1, 3, Duration.ofSeconds(5));
    public static final String CLUSTER = "test";
    private static final String CLIENTS = "/storage/table/clients";
    private static final NodeAddress ANY_PORT = new NodeAddress("127.0.0.1", 0);
    private static final NodeId TABLE_LEADER = new NodeId("n-1");
    private static final long AMPLE = 1L << 32;
    private static final long AMPLE_MEMORY = 64 << 20;

    private record Running(FrameServer server, BlockStore store, CreditService credits) {}

    private final Path dir;
    private final EmbeddedZooKeeper zooKeeper;
    private final ZooKeeperCluster cluster;
    private final Transport transport = Transport.open(2);
    private final FrameClient client = new FrameClient(transport);
    private final Map<NodeId, Running> running = new ConcurrentHashMap<>();
    private final Map<NodeId, Registration> registered = new ConcurrentHashMap<>();
    private final TableNode tableNode;
    private final FileTable table;

    private StorageRig(Path dir) throws IOException {
        this.dir = dir;
        this.zooKeeper = EmbeddedZooKeeper.start(dir.resolve("zookeeper"), ANY_PORT);
        this.cluster = ZooKeeperCluster.connect(zooKeeper.address().toString(), CLUSTER);
        this.tableNode =
                TableNode.bind(TableEnsemble.ofCluster(cluster), transport, TABLE_LEADER, ANY_PORT, status -> {});
        tableNode.stand().join();
        this.table = tableClient();
    }

    private RemoteFileTable tableClient() {
        return new RemoteFileTable(
                cluster.store(), new WireTableLink(client, node -> Optional.of(tableNode.address())));
    }

    /** The file table that all stores of this rig share; its leader outlives every node that a test stops. */
    FileTable table() {
        return table;
    }

    /** A rig with nodes {@code n-1} to {@code n-count}. */
    public static StorageRig start(Path dir, int count) throws IOException {
        StorageRig rig = new StorageRig(dir);
        for (int i = 1; i <= count; i++) {
            rig.startNode("n-" + i);
        }
        return rig;
    }

    public void startNode(String id) throws IOException {
        startNode(id, AMPLE);
    }

    void startNode(String id, long capacity) throws IOException {
        startNode(id, new BlockStore(new LocalDisk(disk(id)), capacity, 0, transport.blocking()));
    }

    void startNode(String id, BlockStore store) {
        startNode(id, store, AMPLE_MEMORY);
    }

    /** @param receiveMemory bytes of blocks that the node has in memory at most */
    CreditService startNode(String id, BlockStore store, long receiveMemory) {
        CreditService credits = new CreditService(
                new CreditDesk(receiveMemory, new CreditCounters()), MonotonicClock.system(), transport.eventLoops());
        FrameServer server = FrameServer.bind(
                        transport,
                        ANY_PORT,
                        new BlockService(
                                store, credits, new BackgroundTurns(), transport.blocking(), transport.allocator()))
                .join();
        running.put(new NodeId(id), new Running(server, store, credits));
        return credits;
    }

    /** Registers all nodes that run now with the cluster, as their processes do. */
    public void announce() {
        CompletableFuture.allOf(running.keySet().stream()
                        .map(node -> cluster.join(member(node, FailureDomain.of(node)))
                                .registered())
                        .toArray(CompletableFuture<?>[]::new))
                .join();
    }

    /** Starts a node and registers it. */
    void joinNode(String id) throws IOException {
        joinNode(id, FailureDomain.of(new NodeId(id)));
    }

    /** Starts a node of a failure domain and registers it. */
    void joinNode(String id, FailureDomain domain) throws IOException {
        startNode(id);
        NodeId node = new NodeId(id);
        Registration registration = cluster.join(member(node, domain));
        registered.put(node, registration);
        registration.registered().join();
        await(cluster.members(Role.STORAGE_NODE), members -> members.containsKey(node));
    }

    /** Gives a node that has joined another failure domain. */
    void moveNode(String id, FailureDomain domain) {
        NodeId node = new NodeId(id);
        Member moved = member(node, domain);
        Objects.requireNonNull(registered.get(node)).update(moved);
        await(cluster.members(Role.STORAGE_NODE), members -> moved.equals(members.get(node)));
    }

    /** Takes a node that has joined away, and waits until all know it. */
    void loseNode(String id) {
        NodeId node = new NodeId(id);
        stopNode(id);
        Objects.requireNonNull(registered.remove(node)).close();
        await(cluster.members(Role.STORAGE_NODE), members -> !members.containsKey(node));
    }

    /** The store as the processes of the cluster see it: over the nodes that are registered, less those that are to leave. */
    StripedStore memberStore(Set<NodeId> retiring) {
        return memberStore(SETTINGS, retiring);
    }

    StripedStore memberStore(StripeSettings settings, Set<NodeId> retiring) {
        StripedStore store = StripedStore.open(table, cluster, client, settings);
        await(
                cluster.configuration(StripedStore.RETIRING_SCOPE),
                marks -> marks.keySet()
                        .equals(retiring.stream().map(NodeId::value).collect(Collectors.toSet())));
        await(cluster.members(Role.STORAGE_NODE), members -> members.keySet().containsAll(running.keySet()));
        return store;
    }

    private static <T> void await(View<T> view, Predicate<T> condition) {
        CompletableFuture<Void> met = new CompletableFuture<>();
        try (Subscription _ = view.onChange(value -> {
            if (condition.test(value)) {
                met.complete(null);
            }
        })) {
            met.orTimeout(20, TimeUnit.SECONDS).join();
        }
    }

    private Member member(NodeId id, FailureDomain domain) {
        return new Member(
                id,
                Role.STORAGE_NODE,
                Map.of(StripedStore.ENDPOINT, address(id.value()), RemoteFileTable.ENDPOINT, tableNode.address()),
                Map.of(StripedStore.CAPACITY_ATTRIBUTE, "1000", StripedStore.DOMAIN_ATTRIBUTE, domain.value()),
                "test",
                Instant.EPOCH);
    }

    /** As the option --zookeeper takes it. */
    public String zooKeeper() {
        return zooKeeper.address().toString();
    }

    /** Takes the node away as a kill does: its connections break, its disk stays. */
    public void stopNode(String id) {
        Running node = running.remove(new NodeId(id));
        if (node != null) {
            node.server().close();
        }
    }

    /** The rate at which a node grants credit at most; 0 if it is as fast as it can. */
    public long bytesPerSecond(String id) {
        return Optional.ofNullable(running.get(new NodeId(id)))
                .orElseThrow()
                .credits()
                .status()
                .bytesPerSecond();
    }

    /** Ends the sessions of all clients of the file table, as a time without ZooKeeper does, and waits until its leader knows. */
    void endSessions() {
        List<String> ended = clients();
        cluster.store()
                .commit(ended.stream()
                        .<Operation>map(client -> new Operation.Delete(CLIENTS + "/" + client, Operation.ANY))
                        .toList())
                .join();
        Awaitility.await().until(() -> {
            table.ask(new TableCommand.Cancel("0".repeat(32))).join();
            return !clients().isEmpty();
        });
    }

    private List<String> clients() {
        return cluster.store().children(CLIENTS).join();
    }

    void wipeDisk(String id) throws IOException {
        if (!Files.exists(disk(id))) {
            return;
        }
        Files.walkFileTree(disk(id), new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
                    throws IOException {
                Files.delete(directory);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    Path disk(String id) {
        return dir.resolve(id);
    }

    List<NodeId> nodes() {
        return running.keySet().stream().sorted().toList();
    }

    NodeAddress address(String id) {
        return Optional.ofNullable(running.get(new NodeId(id)))
                .orElseThrow()
                .server()
                .address();
    }

    FrameClient client() {
        return client;
    }

    BlockClient blocks() {
        return new WireBlockClient(
                client,
                node -> Optional.ofNullable(running.get(node))
                        .map(n -> n.server().address()),
                SETTINGS.deadline());
    }

    public StripedStore store() {
        return store(SETTINGS, blocks -> blocks);
    }

    /** The store of another client, which takes leases, as a mount's does. */
    StripedStore leasedStore() {
        return new StripedStore(
                new StripedFiles(new LeasedFileTable(tableClient()), blocks(), this::weights, SETTINGS, new Random()));
    }

    /** @param between what stands between the store and its nodes, to count or disturb */
    StripedStore store(StripeSettings settings, UnaryOperator<BlockClient> between) {
        return new StripedStore(
                new StripedFiles(table, between.apply(blocks()), this::weights, settings, new Random()));
    }

    private Map<NodeId, Double> weights() {
        return running.keySet().stream()
                .collect(Collectors.toMap(node -> node, node -> 1.0, (a, b) -> a, TreeMap::new));
    }

    /** The files of all blocks on a node's disk. */
    List<Path> blockFiles(String id) throws IOException {
        Path blocks = disk(id).resolve("blocks");
        if (!Files.exists(blocks)) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(blocks)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    static byte[] content(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    @Override
    public void close() throws IOException {
        running.values().forEach(node -> node.server().close());
        tableNode.close();
        client.close();
        transport.close();
        cluster.close();
        zooKeeper.close();
    }
}
