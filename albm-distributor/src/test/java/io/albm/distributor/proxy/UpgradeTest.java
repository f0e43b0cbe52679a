// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static io.albm.distributor.proxy.RawClient.head;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What begins as HTTP and goes on as something else. */
class UpgradeTest {
    private static final String SWITCHED =
            head("HTTP/1.1 101 Switching Protocols", "Upgrade: echo", "Connection: upgrade");

    @Test
    void goesOnAsATunnelWhenTheBackendSwitches() throws Exception {
        try (var backend = new RawBackend(call -> {
                    call.reply(SWITCHED + "hello");
                    call.in().transferTo(call.out());
                });
                var harness = new ProxyHarness(backend);
                Socket client = harness.connect()) {
            RawClient.send(client, upgrade("echo") + "early ");
            RawClient.send(client, "late");

            assertThat(RawBackend.readHead(client.getInputStream()))
                    .startsWith("HTTP/1.1 101 ")
                    .contains("\r\nConnection: Upgrade\r\n", "\r\nUpgrade: echo\r\n");
            assertThat(read(client, 15)).isEqualTo("helloearly late");
            assertThat(backend.heads().getFirst())
                    .contains("\r\nConnection: Upgrade\r\n", "\r\nUpgrade: echo\r\n", "\r\nSec-Key: k\r\n");

            assertThat(harness.directory.backends().getFirst().inFlight()).isEqualTo(1);
            client.shutdownOutput();
            assertThat(client.getInputStream().read()).isEqualTo(-1);
            await().until(() -> harness.directory.backends().getFirst().inFlight() == 0);
            await().until(() -> harness.stats.clients() == 0 && backend.openConnections() == 0);
        }
    }

    @Test
    void goesOnAsHttpWhenTheBackendDoesNotSwitch() throws Exception {
        try (var backend = new RawBackend(RawBackend.text("no"));
                var harness = new ProxyHarness(backend);
                Socket client = harness.connect()) {
            for (int i = 0; i < 3; i++) {
                RawClient.send(client, upgrade("echo"));
                assertThat(RawClient.readResponse(client))
                        .startsWith("HTTP/1.1 200 ")
                        .endsWith("no");
            }
            assertThat(backend.openConnections()).isEqualTo(1);
        }
    }

    @Test
    void passesNoUpgradeOnThatWouldLeadRequestsPastTheRules() throws Exception {
        try (var backend = new RawBackend(RawBackend.text("ok"));
                var harness = new ProxyHarness(backend);
                Socket client = harness.connect()) {
            RawClient.send(client, upgrade("h2c"));
            assertThat(RawClient.readResponse(client)).endsWith("ok");
            RawClient.send(client, upgrade("foo, H2C"));
            assertThat(RawClient.readResponse(client)).endsWith("ok");
            RawClient.send(client, head("GET / HTTP/1.1", "Host: a", "Upgrade: echo"));
            assertThat(RawClient.readResponse(client)).endsWith("ok");

            assertThat(backend.heads()).hasSize(3).noneMatch(head -> head.contains("Upgrade"));
        }
    }

    @Test
    void keepsATunnelOpenWhileItDrains() throws Exception {
        try (var backend = new RawBackend(call -> {
                    call.reply(SWITCHED);
                    call.in().transferTo(call.out());
                });
                var harness = new ProxyHarness(backend);
                Socket client = harness.connect()) {
            RawClient.send(client, upgrade("echo"));
            RawBackend.readHead(client.getInputStream());

            harness.proxy.drain(Duration.ofMillis(700));

            RawClient.send(client, "still here");
            assertThat(read(client, 10)).isEqualTo("still here");
        }
    }

    private static String upgrade(String protocol) {
        return head(
                "GET /chat HTTP/1.1",
                "Host: a",
                "Connection: keep-alive, Upgrade",
                "Upgrade: " + protocol,
                "Sec-Key: k");
    }

    private static String read(Socket socket, int bytes) throws Exception {
        return new String(socket.getInputStream().readNBytes(bytes), StandardCharsets.US_ASCII);
    }
}
