// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static io.albm.distributor.proxy.RawClient.head;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.core.tls.ServerCertificates;
import io.albm.core.tls.TestCertificates;
import io.albm.core.topology.FrontendMode;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tunnels under TLS, switched to or of mode {@code tcp}: each direction ends by itself as far as TLS lets it. */
@Timeout(30)
class SecureTunnelTest {
    private static final String UPGRADE = head("GET /chat HTTP/1.1", "Host: a", "Connection: Upgrade", "Upgrade: echo");
    private static final String SWITCHED =
            head("HTTP/1.1 101 Switching Protocols", "Upgrade: echo", "Connection: upgrade");

    private final ServerCertificates certificates;

    SecureTunnelTest(@TempDir Path directory) throws Exception {
        TestCertificates.write(directory, "a", "localhost");
        certificates = ServerCertificates.load(directory, List.of("http/1.1"));
    }

    @Test
    void aBackendThatHasSaidAllIsStillListenedFor() throws Exception {
        var heard = new CompletableFuture<String>();
        try (var backend = new RawBackend(call -> {
                    call.reply(SWITCHED + "goodbye");
                    call.socket().shutdownOutput();
                    heard.complete(new String(call.in().readAllBytes(), StandardCharsets.US_ASCII));
                });
                var harness = new ProxyHarness(backend)) {
            try (Socket client = connect(harness)) {
                RawClient.send(client, UPGRADE);
                RawBackend.readHead(client.getInputStream());
                assertThat(client.getInputStream().readAllBytes()).asString().isEqualTo("goodbye");
                RawClient.send(client, "one thing more");
            }

            assertThat(heard.get()).isEqualTo("one thing more");
            await().until(() -> harness.proxy.clients() == 0 && backend.openConnections() == 0);
        }
    }

    @Test
    void aClientThatHasSaidAllEndsTheTunnel() throws Exception {
        var heard = new CompletableFuture<String>();
        try (var backend = new RawBackend(call -> {
                    call.reply(SWITCHED);
                    heard.complete(new String(call.in().readAllBytes(), StandardCharsets.US_ASCII));
                });
                var harness = new ProxyHarness(backend);
                SSLSocket client = connect(harness)) {
            RawClient.send(client, UPGRADE);
            RawBackend.readHead(client.getInputStream());
            RawClient.send(client, "all there is");
            client.shutdownOutput();

            assertThat(heard.get()).isEqualTo("all there is");
            assertThat(client.getInputStream().read()).isEqualTo(-1);
            await().until(() -> harness.proxy.clients() == 0 && backend.openConnections() == 0);
        }
    }

    @Test
    void inModeTcpTlsEndsHereAndTheBackendGetsClearText() throws Exception {
        byte[] document = new byte[3 << 20];
        new Random(1).nextBytes(document);
        var heard = new CompletableFuture<byte[]>();
        try (var server = new SocketServer(socket -> {
                    socket.getOutputStream().write(document);
                    heard.complete(socket.getInputStream().readAllBytes());
                });
                var harness = new ProxyHarness(new TestSettings().mode(FrontendMode.TCP))) {
            harness.expect(server.address());
            try (SSLSocket client = connect(harness)) {
                assertThat(client.getInputStream().readNBytes(document.length)).isEqualTo(document);
                client.getOutputStream().write(document);
                client.shutdownOutput();
                assertThat(client.getInputStream().read()).isEqualTo(-1);
            }

            assertThat(heard.get()).isEqualTo(document);
            await().until(() -> harness.proxy.clients() == 0 && harness.stats.inFlight() == 0);
        }
    }

    @Test
    void inModeTcpWhatComesRightBehindTheHandshakeIsNotLost() throws Exception {
        try (var echo = new SocketServer(socket -> socket.getInputStream().transferTo(socket.getOutputStream()));
                var harness = new ProxyHarness(new TestSettings().mode(FrontendMode.TCP))) {
            harness.expect(echo.address());
            for (int i = 0; i < 20; i++) {
                try (SSLSocket client = connect(harness)) {
                    RawClient.send(client, "first");
                    assertThat(client.getInputStream().readNBytes(5)).asString().isEqualTo("first");
                }
            }
        }
    }

    private SSLSocket connect(ProxyHarness harness) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        int port = harness.listen(certificates).port();
        var socket = (SSLSocket) context.getSocketFactory().createSocket("localhost", port);
        socket.setSoTimeout(10_000);
        return socket;
    }
}
