// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.multistripe;

import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.wire.FrameClient;
import io.albm.core.zookeeper.EmbeddedZooKeeper;
import io.albm.core.zookeeper.ZooKeeperCluster;
import io.albm.storage.FileTable;
import io.albm.storage.table.RemoteFileTable;
import io.albm.storage.table.TableEnsemble;
import io.albm.storage.table.TableNode;
import io.albm.storage.table.WireTableLink;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** The file table, on this machine's loopback: names are few bytes, and the lab's links are for what is stored. */
final class Names implements AutoCloseable {
    private static final NodeAddress ANY_PORT = new NodeAddress("127.0.0.1", 0);

    private final EmbeddedZooKeeper zooKeeper;
    private final ZooKeeperCluster cluster;
    private final Transport transport = Transport.open(1);
    private final FrameClient client = new FrameClient(transport);
    private final TableNode node;
    private final RemoteFileTable table;

    private Names(EmbeddedZooKeeper zooKeeper) {
        this.zooKeeper = zooKeeper;
        this.cluster = ZooKeeperCluster.connect(zooKeeper.address().toString(), "lab");
        this.node = TableNode.bind(
                TableEnsemble.ofCluster(cluster), transport, new NodeId("table"), ANY_PORT, status -> {});
        this.table = new RemoteFileTable(cluster.store(), new WireTableLink(client, id -> Optional.of(node.address())));
    }

    static Names start(Path directory) throws IOException {
        Names names = new Names(EmbeddedZooKeeper.start(directory, ANY_PORT));
        names.node.stand().join();
        return names;
    }

    FileTable table() {
        return table;
    }

    @Override
    public void close() {
        table.close();
        node.close();
        client.close();
        transport.close();
        cluster.close();
        zooKeeper.close();
    }
}
