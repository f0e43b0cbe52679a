// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.net.Transport;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.wire.FrameClient;
import io.albm.core.zookeeper.EmbeddedZooKeeper;
import io.albm.core.zookeeper.ZooKeeperCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Nodes that stand for the table's election, on real sockets and a real ZooKeeper, and clients of theirs. */
final class TableRig implements AutoCloseable {
    private static final NodeAddress ANY_PORT = new NodeAddress("127.0.0.1", 0);

    private record Running(ZooKeeperCluster cluster, TableNode node) {}

    private final Path dir;
    private EmbeddedZooKeeper zooKeeper;
    private @Nullable EmbeddedZooKeeper own;
    private String told;
    private String name = "table";
    private final Transport transport = Transport.open(2);
    private final FrameClient frames = new FrameClient(transport);
    private final Map<NodeId, Running> nodes = new LinkedHashMap<>();
    private final List<ZooKeeperCluster> clients = new ArrayList<>();
    private final ZooKeeperCluster observer;

    TableRig(Path dir, String... ids) throws IOException {
        this(dir, null, ids);
    }

    /** With a second ZooKeeper, which has the table. */
    static TableRig withOwnEnsemble(Path dir, String... ids) throws IOException {
        return new TableRig(dir.resolve("cluster"), EmbeddedZooKeeper.start(dir.resolve("own"), ANY_PORT), ids);
    }

    private TableRig(Path dir, @Nullable EmbeddedZooKeeper own, String... ids) throws IOException {
        this.dir = dir;
        this.own = own;
        this.told = ownServers();
        this.zooKeeper = EmbeddedZooKeeper.start(dir, ANY_PORT);
        this.observer = connect();
        for (String id : ids) {
            startNode(id);
        }
    }

    ZooKeeperCluster connect() {
        ZooKeeperCluster cluster = ZooKeeperCluster.connect(zooKeeper.address().toString(), name);
        clients.add(cluster);
        return cluster;
    }

    void startNode(String id) {
        NodeId self = new NodeId(id);
        ZooKeeperCluster cluster = ZooKeeperCluster.connect(zooKeeper.address().toString(), name);
        TableEnsemble ensemble = new TableEnsemble(cluster, told, "told");
        TableNode node = TableNode.bind(ensemble, transport, self, ANY_PORT, status -> {});
        node.stand().join();
        nodes.put(self, new Running(cluster, node));
        Member member = new Member(
                self,
                Role.STORAGE_NODE,
                Map.of(RemoteFileTable.ENDPOINT, node.address()),
                Map.of(),
                "test",
                Instant.EPOCH);
        Stream.of(cluster, ensemble.home())
                .distinct()
                .forEach(joined -> joined.join(member).registered().join());
    }

    /** Where nodes that start from now on are told that the table is; empty for the cluster's. */
    void tell(String servers) {
        told = servers;
    }

    /** Nodes and clients of another cluster, with a table of its own, from now on. */
    void useCluster(String other) {
        name = other;
    }

    /** Of the second ZooKeeper; empty if there is none. */
    String ownServers() {
        return own == null ? "" : own.address().toString();
    }

    List<NodeId> nodes() {
        return List.copyOf(nodes.keySet());
    }

    /** Who says that it leads. */
    Optional<NodeId> leader() {
        return nodes.entrySet().stream()
                .filter(node -> node.getValue().node().status().leading())
                .map(Map.Entry::getKey)
                .findFirst();
    }

    TableStatus status(NodeId id) {
        return Optional.ofNullable(nodes.get(id)).orElseThrow().node().status();
    }

    /** Takes a node away as a kill does: its session ends in the middle of what it does. */
    void kill(NodeId id) {
        Running killed = Optional.ofNullable(nodes.remove(id)).orElseThrow();
        killed.cluster().close();
        killed.node().stop();
    }

    /** Ends a node as its process does that gets SIGTERM. */
    void end(NodeId id) {
        Running ended = Optional.ofNullable(nodes.remove(id)).orElseThrow();
        ended.node().close();
        ended.cluster().close();
    }

    /** Of the cluster. */
    String servers() {
        return zooKeeper.address().toString();
    }

    void stopZooKeeper() {
        zooKeeper.close();
    }

    void restartZooKeeper() throws IOException {
        zooKeeper = EmbeddedZooKeeper.start(dir, zooKeeper.address());
    }

    void stopOwn() {
        Objects.requireNonNull(own).close();
    }

    void restartOwn() throws IOException {
        own = EmbeddedZooKeeper.start(
                dir.resolveSibling("own"), Objects.requireNonNull(own).address());
    }

    RemoteFileTable client() {
        return client(connect(), link -> link);
    }

    /** @param between what stands between the client and the leader */
    RemoteFileTable client(ZooKeeperCluster cluster, UnaryOperator<TableLink> between) {
        var members = cluster.members(Role.STORAGE_NODE);
        members.loaded().join();
        TableLink link = new WireTableLink(
                frames,
                node -> Optional.ofNullable(members.get().get(node))
                        .flatMap(member -> member.endpoint(RemoteFileTable.ENDPOINT)));
        return new RemoteFileTable(cluster.store(), between.apply(link));
    }

    FrameClient frames() {
        return frames;
    }

    NodeAddress address(String id) {
        return Optional.ofNullable(nodes.get(new NodeId(id)))
                .orElseThrow()
                .node()
                .address();
    }

    ZooKeeperCluster observer() {
        return observer;
    }

    int batches() {
        return observer.store().children(TablePaths.LOG).join().size();
    }

    /** In bytes. */
    int longestBatch() {
        return observer.store().children(TablePaths.LOG).join().stream()
                .map(batch ->
                        observer.store().read(TablePaths.LOG + "/" + batch).join())
                .mapToInt(batch -> batch.orElseThrow().data().length)
                .max()
                .orElse(0);
    }

    @Override
    public void close() {
        nodes.values().forEach(node -> {
            node.node().close();
            node.cluster().close();
        });
        frames.close();
        clients.forEach(ZooKeeperCluster::close);
        transport.close();
        zooKeeper.close();
        if (own != null) {
            own.close();
        }
    }
}
