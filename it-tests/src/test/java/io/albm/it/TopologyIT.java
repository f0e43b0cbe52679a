// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static io.albm.it.RoleUnderTest.await;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.albm.core.json.Json;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.tls.TestCertificates;
import io.albm.it.Albm.Result;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Frontends, routes and pools changed by commands while real processes serve. */
@ExtendWith(SharedCluster.class)
@Execution(ExecutionMode.SAME_THREAD)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TopologyIT {
    private static final String BYTES = "from a server that is no member";

    private final RunningCluster cluster;
    private HttpServer other;

    @TempDir
    private Path temp;

    TopologyIT(RunningCluster cluster) {
        this.cluster = cluster;
    }

    @BeforeEach
    void startServer() throws IOException {
        other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext("/", call -> {
            byte[] body = BYTES.getBytes(StandardCharsets.UTF_8);
            call.sendResponseHeaders(200, body.length);
            call.getResponseBody().write(body);
            call.close();
        });
        other.start();
    }

    @AfterEach
    void takeBack() throws Exception {
        done("topology", "apply", Files.writeString(temp.resolve("nothing"), "").toString());
        other.stop(0);
        cluster.awaitWhole();
    }

    @Test
    void servesTwoFrontendsOverTwoPoolsByHostAndPath() throws Exception {
        assertThat(serveBoth()).contains("distributor: in force");
        NodeAddress web = frontend("web");
        NodeAddress side = frontend("side");

        cluster.requireDocument(web);
        assertThat(RoleUnderTest.get(web, "/api/x").body()).isEqualTo(BYTES);
        assertThat(answer(web, "api.example", RunningCluster.DOCUMENT)).endsWith(BYTES);
        assertThat(RoleUnderTest.get(side, RunningCluster.DOCUMENT).body()).isEqualTo(BYTES);
        assertThat(done("topology", "show").lines())
                .anyMatch(line -> line.matches("web +" + web + " +http .*"))
                .anyMatch(line -> line.matches("api +web +- +/api/ +api +high"))
                .anyMatch(line -> line.matches("api +\\S+ +1 +1 +0"));

        done("policy", "set", "hash", "--frontend", "web");
        assertThat(served("web").path("policy").asText()).isEqualTo("hash");
        assertThat(served("side").path("policy").isNull()).isTrue();
        cluster.requireDocument(web);
    }

    @Test
    void refusesABadChangeAndGoesOnWithTheOld() throws Exception {
        serveBoth();
        NodeAddress web = frontend("web");
        assertThat(refused(2, "topology", "set", "route.api.pool=apj"))
                .contains("route.api.pool: no pool 'apj'", "did you mean 'api'?");
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThat(refused(
                            4,
                            "topology",
                            "set",
                            "frontend.web.bind=127.0.0.1:" + taken.getLocalPort(),
                            "route.api.pool=main"))
                    .contains("distributor refuses it and goes on as before", "the port is in use by pid");
        }
        assertThat(cluster.health("distributor")).contains("live-settings", "the port is in use");
        assertThat(RoleUnderTest.get(web, "/api/x").body()).isEqualTo(BYTES);

        done("topology", "unset", "frontend.web.bind", "frontend.web.pool", "route.api.frontend");
        await().until(() -> !cluster.health("distributor").contains("live-settings"));
    }

    @Test
    void takesCertificatesOfAnotherDirectoryForNewConnections() throws Exception {
        Path first = Files.createDirectory(temp.resolve("first"));
        Path second = Files.createDirectory(temp.resolve("second"));
        TestCertificates.write(first, "first", "localhost");
        TestCertificates.write(second, "second", "localhost");
        done(
                "topology",
                "set",
                "frontend.secure.bind=127.0.0.1:0",
                "frontend.secure.pool=main",
                "frontend.secure.tls-certificates=" + first);
        NodeAddress secure = frontend("secure");
        try (SSLSocket open = Tls.connect(secure)) {
            assertThat(Tls.subject(open)).isEqualTo("CN=first");
            done("topology", "set", "frontend.secure.tls-certificates=" + second);
            try (SSLSocket next = Tls.connect(secure)) {
                assertThat(Tls.subject(next)).isEqualTo("CN=second");
            }
            assertThat(ask(open, "localhost", RunningCluster.DOCUMENT)).contains(" 200 ");
        }
        assertThat(refused(4, "topology", "set", "frontend.secure.tls-certificates=" + temp.resolve("none")))
                .contains("frontend.secure.tls-certificates");
    }

    private String serveBoth() throws Exception {
        return done(
                "topology",
                "set",
                "frontend.web.bind=127.0.0.1:0",
                "frontend.web.pool=main",
                "frontend.side.bind=127.0.0.1:0",
                "frontend.side.pool=api",
                "route.api.frontend=web",
                "route.api.path=/api/",
                "route.api.pool=api",
                "route.api.priority=high",
                "route.host.host=api.example",
                "route.host.pool=api",
                "pool.api.backends=127.0.0.1:" + other.getAddress().getPort());
    }

    private JsonNode served(String frontend) {
        JsonNode all = Json.tree(RoleUnderTest.get(cluster.endpoint("distributor", Member.ADMIN), "/frontends")
                .body());
        List<JsonNode> found = new ArrayList<>();
        all.path("frontends").forEach(one -> {
            if (one.path("name").asText().equals(frontend)) {
                found.add(one);
            }
        });
        assertThat(found).as("frontend %s of %s", frontend, all).hasSize(1);
        return found.getFirst();
    }

    private NodeAddress frontend(String name) {
        return NodeAddress.parse(served(name).path("address").asText());
    }

    private static String answer(NodeAddress address, String host, String path) throws IOException {
        try (var socket = new Socket(address.host(), address.port())) {
            return ask(socket, host, path);
        }
    }

    private static String ask(Socket socket, String host, String path) throws IOException {
        socket.setSoTimeout(10_000);
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private String done(String... command) throws Exception {
        Result result = cluster.albm(command);
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result.out();
    }

    private String refused(int exitCode, String... command) throws Exception {
        Result result = cluster.albm(command);
        assertThat(result.exitCode()).as(result.out() + result.err()).isEqualTo(exitCode);
        assertThat(result.err()).startsWith("albm: ").hasLineCount(1);
        return result.err();
    }
}
