// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.node.NodeAddress;
import io.albm.core.topology.Fingerprint;
import io.albm.core.zookeeper.EmbeddedZooKeeper;
import io.albm.core.zookeeper.ZooKeeperCluster;
import io.albm.distributor.proxy.RawBackend;
import io.albm.distributor.proxy.RawClient;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** A distributor with two frontends and two pools, and an operator who changes them: real ZooKeeper, real sockets. */
abstract class LiveTopologyHarness {
    private static EmbeddedZooKeeper zooKeeper;

    @TempDir
    Path temp;

    final RawBackend docs = new RawBackend(RawBackend.text("docs"));
    final RawBackend api = new RawBackend(RawBackend.text("api"));
    private String cluster;
    private ZooKeeperCluster operator;

    LiveTopologyHarness() throws IOException {}

    @BeforeAll
    static void startZooKeeper(@TempDir Path data) throws IOException {
        zooKeeper = EmbeddedZooKeeper.start(data, new NodeAddress("127.0.0.1", 0));
    }

    @AfterAll
    static void stopZooKeeper() {
        zooKeeper.close();
    }

    @BeforeEach
    void connect(TestInfo test) {
        cluster = test.getTestMethod().orElseThrow().getName().toLowerCase(Locale.ROOT);
        operator = ZooKeeperCluster.connect(zooKeeper.address().toString(), cluster);
    }

    @AfterEach
    void close() {
        operator.close();
        docs.close();
        api.close();
    }

    RunningDistributor start() throws Exception {
        Path file = Files.writeString(temp.resolve("topology"), """
                frontend.web.bind = 127.0.0.1:0
                frontend.web.pool = docs
                frontend.side.bind = 127.0.0.1:0
                frontend.side.pool = docs
                route.api.frontend = web
                route.api.path = /api/
                route.api.pool = api
                route.host.host = api.example
                route.host.pool = api
                pool.docs.backends = %s
                pool.api.backends = %s
                """.formatted(docs.address(), api.address()));
        return new RunningDistributor(join(), temp, Map.of("topology", file.toString()));
    }

    ZooKeeperCluster join() {
        return ZooKeeperCluster.connect(zooKeeper.address().toString(), cluster);
    }

    /** Makes these the live settings. */
    void configure(Map<String, String> settings) {
        operator.configure("distributor", _ -> settings).join();
    }

    /** Makes these the live settings and waits until they are in force. */
    void change(RunningDistributor distributor, Map<String, String> settings) {
        configure(settings);
        await().until(
                        () -> distributor.admin("/frontends").path("settings").asText(),
                        Fingerprint.of(settings)::equals);
        await().until(() -> distributor.admin("/frontends").path("refused").isNull());
    }

    /** Makes these the live settings and waits until they are refused. */
    void refuse(RunningDistributor distributor, Map<String, String> settings) {
        configure(settings);
        await().until(
                        () -> distributor
                                .admin("/frontends")
                                .at("/refused/settings")
                                .asText(),
                        Fingerprint.of(settings)::equals);
    }

    static NodeAddress address(RunningDistributor distributor, String frontend) throws IOException {
        for (JsonNode one : distributor.admin("/frontends").path("frontends")) {
            if (one.path("name").asText().equals(frontend)) {
                return NodeAddress.parse(one.path("address").asText());
            }
        }
        throw new AssertionError("no frontend " + frontend);
    }

    static String get(NodeAddress frontend, String host, String path) throws IOException {
        try (Socket client = RawClient.connect(frontend)) {
            return ask(client, host, path);
        }
    }

    /** One request on a connection that stays, and its whole answer. */
    static String ask(Socket client, String host, String path) throws IOException {
        send(client, host, path);
        return RawClient.readResponse(client);
    }

    static void send(Socket client, String host, String path) throws IOException {
        RawClient.send(client, RawClient.head("GET " + path + " HTTP/1.1", "Host: " + host));
    }
}
