// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.albm.core.config.ConfigException;
import io.albm.core.node.NodeAddress;
import io.albm.core.topology.Fingerprint;
import io.albm.core.topology.PolicyNames;
import io.albm.core.zookeeper.EmbeddedZooKeeper;
import io.albm.core.zookeeper.ZooKeeperCluster;
import io.albm.distributor.proxy.RawBackend;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** A distributor whose frontends, routes and pools change while it serves: real ZooKeeper, real sockets. */
class LiveTopologyTest {
    private static EmbeddedZooKeeper zooKeeper;

    @TempDir
    private Path temp;

    private final RawBackend docs = new RawBackend(RawBackend.text("docs"));
    private final RawBackend api = new RawBackend(RawBackend.text("api"));
    private String cluster;
    private ZooKeeperCluster operator;

    LiveTopologyTest() throws IOException {}

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

    @Test
    void sendsRequestsByHostAndPathAsTheFileSays() throws Exception {
        try (var distributor = start()) {
            assertThat(get(address(distributor, "web"), "a.example", "/")).endsWith("docs");
            assertThat(get(address(distributor, "web"), "a.example", "/api/x")).endsWith("api");
            assertThat(get(address(distributor, "web"), "API.example:80", "/")).endsWith("api");
            assertThat(get(address(distributor, "side"), "a.example", "/api/x")).endsWith("docs");
            assertThat(distributor
                            .admin("/routing?pool=docs")
                            .at("/backends/0/id")
                            .asText())
                    .isEqualTo(docs.address().toString());
            assertThat(distributor.admin("/routing").at("/others/0/pool").asText())
                    .isEqualTo("docs");
        }
    }

    @Test
    void changesRoutesForTheNextRequestOfAConnection() throws Exception {
        try (var distributor = start();
                Socket client = connect(address(distributor, "web"))) {
            assertThat(ask(client, "a.example", "/new/")).endsWith("docs");
            change(distributor, Map.of("route.new.path", "/new/", "route.new.pool", "api"));
            assertThat(ask(client, "a.example", "/new/")).endsWith("api");
            change(distributor, Map.of());
            assertThat(ask(client, "a.example", "/new/")).endsWith("docs");
        }
    }

    @Test
    void opensAndClosesFrontendsAndPoolsWhileOthersServe() throws Exception {
        try (var distributor = start();
                Socket client = connect(address(distributor, "web"))) {
            assertThat(ask(client, "a.example", "/")).endsWith("docs");
            change(
                    distributor,
                    Map.of(
                            "frontend.more.bind", "127.0.0.1:0",
                            "frontend.more.pool", "other",
                            "frontend.more.policy", "hash",
                            "pool.other.backends", api.address().toString()));
            NodeAddress more = address(distributor, "more");
            assertThat(get(more, "a.example", "/")).endsWith("api");

            change(distributor, Map.of());
            await().until(() -> refusesConnections(more));
            assertThat(ask(client, "a.example", "/")).endsWith("docs");
        }
    }

    @Test
    void finishesWhatIsUnderWayAtAFrontendAndAPoolThatGo() throws Exception {
        var asked = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        try (var slow = new RawBackend(call -> {
                    asked.countDown();
                    awaitQuietly(goOn);
                    call.reply("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nslow");
                });
                var distributor = start()) {
            change(
                    distributor,
                    Map.of(
                            "frontend.more.bind", "127.0.0.1:0",
                            "frontend.more.pool", "slow",
                            "pool.slow.check-path", "/",
                            "pool.slow.backends", slow.address().toString()));
            try (Socket client = connect(address(distributor, "more"))) {
                send(client, "a.example", "/");
                asked.await();
                change(distributor, Map.of());
                goOn.countDown();

                assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                        .startsWith("HTTP/1.1 200")
                        .containsIgnoringCase("connection: close")
                        .endsWith("slow");
            }
        }
    }

    @Test
    void answersEveryRequestWhileEverythingElseChanges() throws Exception {
        try (var distributor = start();
                var clients = Executors.newVirtualThreadPerTaskExecutor()) {
            NodeAddress web = address(distributor, "web");
            var changing = new AtomicBoolean(true);
            List<Future<Integer>> answered = IntStream.range(0, 4)
                    .mapToObj(_ -> clients.submit(() -> askWhile(changing, web)))
                    .toList();
            for (int round = 0; round < 60; round++) {
                Map<String, String> settings = round(round);
                operator.configure("distributor", _ -> settings).join();
            }
            change(distributor, Map.of());
            changing.set(false);
            for (Future<Integer> client : answered) {
                assertThat(client.get()).isPositive();
            }
            assertThat(distributor.metrics.prometheusText()).contains("albm_live_settings_refused_total 0.0");
        }
    }

    /** Each round changes routes, pools, weights, policies, and other frontends. */
    private Map<String, String> round(int round) {
        Map<String, String> settings = new HashMap<>();
        settings.put(
                "frontend.web.policy",
                PolicyNames.all().get(round % PolicyNames.all().size()));
        settings.put("pool.docs.backends", docs.address() + ", " + api.address() + " weight=" + round % 3);
        settings.put("weight." + docs.address(), Integer.toString(1 + round % 5));
        settings.put("frontend.side.bind", round % 2 == 0 ? "off" : "127.0.0.1:0");
        if (round % 3 != 0) {
            settings.put("pool.extra-" + round % 3 + ".backends", api.address().toString());
            settings.put("route.x.path", "/");
            settings.put("route.x.pool", "extra-" + round % 3);
            settings.put("route.x.priority", "low");
        }
        return settings;
    }

    private static int askWhile(AtomicBoolean changing, NodeAddress frontend) throws IOException {
        int answered = 0;
        try (Socket client = connect(frontend)) {
            while (changing.get()) {
                assertThat(ask(client, "a.example", "/x")).startsWith("HTTP/1.1 200 ");
                answered++;
            }
        }
        return answered;
    }

    @Test
    void movesAFrontendWithoutAMomentAtWhichNobodyListens() throws Exception {
        try (var distributor = start()) {
            NodeAddress web = address(distributor, "web");
            NodeAddress side = address(distributor, "side");
            change(distributor, Map.of("frontend.web.bind", side.toString(), "frontend.side.bind", "off"));

            assertThat(address(distributor, "web")).isEqualTo(side);
            assertThat(get(side, "a.example", "/api/x")).endsWith("api");
            await().until(() -> refusesConnections(web));
        }
    }

    @Test
    void refusesAChangeWithAMistakeAsAWholeAndSaysWhy() throws Exception {
        try (var distributor = start();
                var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            refuse(distributor, Map.of("frontend.web.pool", "dosc", "route.api.path", "api"));
            assertThat(distributor.admin("/frontends").at("/refused/mistakes"))
                    .extracting(mistake -> mistake.path("key").asText())
                    .containsExactlyInAnyOrder("frontend.web.pool", "route.api.path");
            assertThat(distributor.health.report().ready()).isTrue();
            assertThat(distributor.health.report().reasons())
                    .anySatisfy(reason -> assertThat(reason.message()).contains("did you mean 'docs'?"));
            assertThat(distributor.metrics.prometheusText()).contains("albm_live_settings_refused_total 1.0");

            refuse(
                    distributor,
                    Map.of(
                            "frontend.new.bind", "127.0.0.1:" + taken.getLocalPort(),
                            "frontend.new.pool", "fresh",
                            "frontend.also.bind", "127.0.0.1:0",
                            "frontend.also.pool", "fresh",
                            "frontend.tls.bind", "127.0.0.1:0",
                            "frontend.tls.pool", "docs",
                            "route.api.pool", "docs",
                            "pool.fresh.backends", api.address().toString()));
            JsonNode state = distributor.admin("/frontends");
            assertThat(state.at("/refused/mistakes/0/text").asText()).contains("the port is in use");
            assertThat(state.path("frontends")).hasSize(2);
            assertThat(state.path("pools")).hasSize(2);
            assertThat(get(address(distributor, "web"), "a.example", "/api/x")).endsWith("api");

            change(distributor, Map.of());
            assertThat(distributor.health.report().reasons()).isEmpty();
        }
    }

    @Test
    void refusesToListenWhereOthersCanReachItWithoutTls() throws Exception {
        try (var distributor = start()) {
            refuse(distributor, Map.of("frontend.web.bind", "0.0.0.0:0"));
            assertThat(distributor
                            .admin("/frontends")
                            .at("/refused/mistakes/0/text")
                            .asText())
                    .contains("--insecure");
        }
    }

    @Test
    void refusesCertificatesThatAreNotThere() throws Exception {
        try (var distributor = start()) {
            refuse(
                    distributor,
                    Map.of("frontend.web.tls-certificates", temp.resolve("none").toString()));
            assertThat(distributor
                            .admin("/frontends")
                            .at("/refused/mistakes/0/key")
                            .asText())
                    .isEqualTo("frontend.web.tls-certificates");
        }
    }

    @Test
    void spreadsEachFrontendsRequestsByItsOwnPolicy() throws Exception {
        try (var distributor = start()) {
            String both = docs.address() + "," + api.address();
            change(
                    distributor,
                    Map.of(
                            "pool.docs.backends", both,
                            "pool.docs.policy", "round-robin",
                            "frontend.side.policy", "hash"));
            await().until(() -> answers(address(distributor, "web"), 4), Set.of("docs", "api")::equals);
            assertThat(answers(address(distributor, "side"), 10)).hasSize(1);

            change(
                    distributor,
                    Map.of(
                            "pool.docs.backends",
                            both,
                            "pool.docs.policy",
                            "round-robin",
                            "weight." + docs.address(),
                            "0"));
            await().until(() -> answers(address(distributor, "side"), 4), Set.of("api")::equals);
            assertThat(answers(address(distributor, "web"), 4)).containsExactly("api");
        }
    }

    @Test
    void servesRequestsOfHighRoutesFirstWhenTheyHaveToWait() throws Exception {
        var goOn = new CountDownLatch(1);
        List<String> order = new CopyOnWriteArrayList<>();
        try (var slow = new RawBackend(call -> {
                    if (call.target().length() > 1) {
                        order.add(call.target());
                        awaitQuietly(goOn);
                    }
                    call.reply("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                });
                var distributor = start()) {
            change(
                    distributor,
                    Map.of(
                            "pool.docs.backends", slow.address().toString(),
                            "pool.docs.max-connections", "1",
                            "route.high.path", "/high",
                            "route.high.pool", "docs",
                            "route.high.priority", "high",
                            "route.low.path", "/low",
                            "route.low.pool", "docs",
                            "route.low.priority", "low"));
            NodeAddress web = address(distributor, "web");
            try (Socket first = connect(web);
                    Socket second = connect(web);
                    Socket third = connect(web)) {
                send(first, "a.example", "/hold");
                await().until(() -> order.size(), Integer.valueOf(1)::equals);
                send(second, "a.example", "/low");
                await().until(() -> waiting(distributor, "docs"), Integer.valueOf(1)::equals);
                send(third, "a.example", "/high");
                await().until(() -> waiting(distributor, "docs"), Integer.valueOf(2)::equals);
                goOn.countDown();
                await().until(() -> order, List.of("/hold", "/high", "/low")::equals);
            }
        }
    }

    @Test
    void refusesTwoFrontendsAtOneAddress() throws Exception {
        try (var distributor = start()) {
            String web = address(distributor, "web").toString();
            refuse(distributor, Map.of("frontend.side.bind", web));
            assertThat(distributor
                            .admin("/frontends")
                            .at("/refused/mistakes/0/text")
                            .asText())
                    .endsWith("is the address of frontend side");
        }
    }

    @Test
    void makesAFrontendOfAnyProtocolOfOneOfHttp() throws Exception {
        try (var distributor = start()) {
            change(distributor, Map.of("frontend.side.mode", "tcp"));
            assertThat(get(address(distributor, "side"), "a.example", "/")).endsWith("docs");
            await().until(
                            () -> distributor
                                    .admin("/frontends")
                                    .at("/frontends/0/mode")
                                    .asText(),
                            "tcp"::equals);
        }
    }

    @Test
    void doesNotStartWithAFileThatHasAMistake() throws Exception {
        Path file =
                Files.writeString(temp.resolve("bad"), "frontend.web.bind = 127.0.0.1:0\nfrontend.web.pol = docs\n");
        assertThatThrownBy(() -> new RunningDistributor(join(), temp, Map.of("topology", file.toString())))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("frontend.web.pol: no such field")
                .hasMessageContaining("did you mean 'pool'?")
                .hasMessageContaining("frontend.web.pool: is not set");
    }

    private RunningDistributor start() throws Exception {
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

    private ZooKeeperCluster join() {
        return ZooKeeperCluster.connect(zooKeeper.address().toString(), cluster);
    }

    /** Makes these the live settings and waits until they are in force. */
    private void change(RunningDistributor distributor, Map<String, String> settings) {
        operator.configure("distributor", _ -> settings).join();
        await().until(
                        () -> distributor.admin("/frontends").path("settings").asText(),
                        Fingerprint.of(settings)::equals);
        await().until(() -> distributor.admin("/frontends").path("refused").isNull());
    }

    /** Makes these the live settings and waits until they are refused. */
    private void refuse(RunningDistributor distributor, Map<String, String> settings) {
        operator.configure("distributor", _ -> new HashMap<>(settings)).join();
        await().until(
                        () -> distributor
                                .admin("/frontends")
                                .at("/refused/settings")
                                .asText(),
                        Fingerprint.of(settings)::equals);
    }

    private static NodeAddress address(RunningDistributor distributor, String frontend) throws IOException {
        for (JsonNode one : distributor.admin("/frontends").path("frontends")) {
            if (one.path("name").asText().equals(frontend)) {
                return NodeAddress.parse(one.path("address").asText());
            }
        }
        throw new AssertionError("no frontend " + frontend);
    }

    private static int waiting(RunningDistributor distributor, String pool) throws IOException {
        for (JsonNode one : distributor.admin("/frontends").path("pools")) {
            if (one.path("name").asText().equals(pool)) {
                return one.path("waiting").asInt();
            }
        }
        throw new AssertionError("no pool " + pool);
    }

    private static Set<String> answers(NodeAddress frontend, int requests) throws IOException {
        Set<String> answers = new HashSet<>();
        for (int i = 0; i < requests; i++) {
            String answer = get(frontend, "a.example", "/");
            answers.add(answer.substring(answer.lastIndexOf('\n') + 1));
        }
        return answers;
    }

    private static String get(NodeAddress frontend, String host, String path) throws IOException {
        try (Socket client = connect(frontend)) {
            return ask(client, host, path);
        }
    }

    private static Socket connect(NodeAddress to) throws IOException {
        var socket = new Socket(to.host(), to.port());
        socket.setSoTimeout(10_000);
        return socket;
    }

    private static void send(Socket client, String host, String path) throws IOException {
        client.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    /** One request on a connection that stays, and its whole answer. */
    private static String ask(Socket client, String host, String path) throws IOException {
        send(client, host, path);
        var answer = new StringBuilder();
        while (!answer.toString().endsWith("\r\n\r\n")) {
            int b = client.getInputStream().read();
            if (b < 0) {
                throw new IOException("closed after '" + answer + "'");
            }
            answer.append((char) b);
        }
        int at = answer.toString().toLowerCase(Locale.ROOT).indexOf("content-length: ");
        int end = answer.indexOf("\r", at);
        int length = Integer.parseInt(answer.substring(at + "content-length: ".length(), end));
        return answer + new String(client.getInputStream().readNBytes(length), StandardCharsets.US_ASCII);
    }

    private static boolean refusesConnections(NodeAddress address) {
        try (Socket socket = connect(address)) {
            return !socket.isConnected();
        } catch (IOException e) {
            return true;
        }
    }

    private static void awaitQuietly(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }
}
