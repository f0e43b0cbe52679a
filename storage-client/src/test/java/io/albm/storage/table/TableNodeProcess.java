// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.net.Transport;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.zookeeper.ZooKeeperCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A storage node's part in the file table as a process of its own, until its input ends. */
final class TableNodeProcess implements AutoCloseable {
    static final String CLUSTER = "table";

    private final Process process;

    private TableNodeProcess(Process process) {
        this.process = process;
    }

    static TableNodeProcess start(NodeAddress zooKeeper, String id) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx96m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                TableNodeProcess.class.getName(),
                zooKeeper.toString(),
                id);
        return new TableNodeProcess(new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start());
    }

    void signal(String name) throws IOException, InterruptedException {
        int code = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("kill -" + name + " " + process.pid() + " ended with " + code);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }

    public static void main(String[] arguments) throws IOException {
        NodeId self = new NodeId(arguments[1]);
        try (ZooKeeperCluster cluster = ZooKeeperCluster.connect(arguments[0], CLUSTER);
                Transport transport = Transport.open(1);
                TableNode node = TableNode.bind(
                        TableEnsemble.ofCluster(cluster),
                        transport,
                        self,
                        new NodeAddress("127.0.0.1", 0),
                        status -> {})) {
            node.stand().join();
            cluster.join(new Member(
                            self,
                            Role.STORAGE_NODE,
                            Map.of(RemoteFileTable.ENDPOINT, node.address()),
                            Map.of(),
                            "test",
                            Instant.EPOCH))
                    .registered()
                    .join();
            while (System.in.read() >= 0) {
                // nobody writes to it; its end is the parent's
            }
        }
    }
}
