// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import io.albm.core.net.HeldPort;
import io.albm.core.node.NodeAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.zookeeper.server.embedded.ExitHandler;
import org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;

/** Three ZooKeeper servers that elect a leader among them. */
final class Ensemble implements AutoCloseable {
    private static final int SERVERS = 3;

    private final List<Integer> clientPorts;
    private final List<ZooKeeperServerEmbedded> servers = new ArrayList<>();

    private Ensemble(List<Integer> clientPorts) {
        this.clientPorts = clientPorts;
    }

    static Ensemble start(Path directory) throws Exception {
        List<HeldPort> held = new ArrayList<>();
        try {
            for (int i = 0; i < 3 * SERVERS; i++) {
                held.add(HeldPort.at(new NodeAddress("127.0.0.1", 0)));
            }
            return start(
                    directory, held.stream().map(port -> port.address().port()).toList());
        } finally {
            held.forEach(HeldPort::close);
        }
    }

    private static Ensemble start(Path directory, List<Integer> ports) throws Exception {
        Ensemble ensemble = new Ensemble(ports.subList(0, SERVERS));
        String members = IntStream.range(0, SERVERS)
                .mapToObj(i -> "server.%d=127.0.0.1:%d:%d%n"
                        .formatted(i + 1, ports.get(SERVERS + i), ports.get(2 * SERVERS + i)))
                .collect(Collectors.joining());
        for (int i = 0; i < SERVERS; i++) {
            ensemble.servers.add(server(directory.resolve("zookeeper-" + (i + 1)), i + 1, ports.get(i), members));
        }
        for (ZooKeeperServerEmbedded server : ensemble.servers) {
            server.start();
        }
        return ensemble;
    }

    private static ZooKeeperServerEmbedded server(Path data, int id, int clientPort, String members) throws Exception {
        Files.createDirectories(data);
        Files.writeString(data.resolve("myid"), Integer.toString(id));
        Properties configuration = new Properties();
        configuration.load(new java.io.StringReader(members + """
                dataDir=%s
                clientPort=%d
                clientPortAddress=127.0.0.1
                tickTime=200
                initLimit=50
                syncLimit=10
                admin.enableServer=false
                """.formatted(data.toAbsolutePath(), clientPort)));
        return ZooKeeperServerEmbedded.builder()
                .baseDir(data)
                .configuration(configuration)
                .exitHandler(ExitHandler.LOG_ONLY)
                .build();
    }

    String connectString() {
        return clientPorts.stream().map(port -> "127.0.0.1:" + port).collect(Collectors.joining(","));
    }

    void stop(int server) {
        servers.get(server).close();
    }

    @Override
    public void close() {
        servers.forEach(ZooKeeperServerEmbedded::close);
    }
}
