// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OpenLoopLoadTest {
    @TempDir
    Path root;

    private DocumentTree tree;

    @BeforeEach
    void writeDocuments() throws IOException {
        tree = DocumentTree.generate(root, 7, 20);
    }

    @Test
    void reportsNoFailureWhenEveryBodyIsRight() throws IOException {
        LoadReport report = load(this::serve, 50);

        assertThat(report.failures()).isEmpty();
        assertThat(report.requests()).isGreaterThanOrEqualTo(50);
        assertThat(report.bytes()).isPositive();
        assertThat(report.p99Micros()).isGreaterThanOrEqualTo(report.p50Micros());
    }

    @Test
    void findsASingleWrongByte() throws IOException {
        LoadReport report = load(
                exchange -> {
                    byte[] body = content(exchange);
                    body[body.length - 1] ^= 1;
                    answer(exchange, 200, body);
                },
                10);

        assertThat(report.wrongBodies()).isEqualTo(report.requests());
        assertThat(report.failed()).isZero();
    }

    @Test
    void countsAnythingBut200AsFailed() throws IOException {
        LoadReport report = load(exchange -> answer(exchange, 503, new byte[] {1}), 10);

        assertThat(report.count(FailureKind.STATUS)).isEqualTo(report.requests());
        assertThat(report.examples()).first().asString().contains("status 503");
    }

    @Test
    void countsAResponseThatIsCutInTheMiddle() throws IOException {
        LoadReport report = load(
                exchange -> {
                    byte[] body = content(exchange);
                    exchange.sendResponseHeaders(200, body.length + 1L);
                    exchange.getResponseBody().write(body);
                    exchange.getResponseBody().flush();
                    exchange.close();
                },
                10);

        assertThat(report.count(FailureKind.CUT)).isEqualTo(report.requests());
    }

    @Test
    void countsAServerThatIsNotThere() throws IOException {
        NodeAddress nobody;
        try (ServerSocket closed = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            nobody = new NodeAddress("127.0.0.1", closed.getLocalPort());
        }

        LoadReport report = load(nobody, 5, Duration.ofSeconds(20));

        assertThat(report.count(FailureKind.CONNECT)).isEqualTo(report.requests());
    }

    @Test
    void countsARequestThatIsNeverAnswered() throws IOException {
        try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            LoadReport report = load(new NodeAddress("127.0.0.1", mute.getLocalPort()), 5, Duration.ofMillis(50));

            assertThat(report.count(FailureKind.TIMEOUT)).isEqualTo(report.requests());
        }
    }

    private LoadReport load(HttpHandler handler, int requests) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", handler);
        server.start();
        try {
            NodeAddress address =
                    new NodeAddress("127.0.0.1", server.getAddress().getPort());
            return load(address, requests, Duration.ofSeconds(20));
        } finally {
            server.stop(0);
        }
    }

    private LoadReport load(NodeAddress server, int requests, Duration timeout) {
        LoadSettings settings = new LoadSettings(server, 200, 4, timeout, 1);
        try (OpenLoopLoad load = OpenLoopLoad.start(settings, tree)) {
            await().until(() -> load.snapshot().requests() >= requests);
            return load.stop();
        }
    }

    private void serve(HttpExchange exchange) throws IOException {
        answer(exchange, 200, content(exchange));
    }

    private byte[] content(HttpExchange exchange) throws IOException {
        return Files.readAllBytes(
                root.resolve(exchange.getRequestURI().getPath().substring(1)));
    }

    private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
