// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.albm.core.json.Json;
import io.albm.core.topology.ClearText;
import io.albm.distributor.http.AccessFormat;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class AccessLogTest {
    private final LongAdder dropped = new LongAdder();

    @TempDir
    private Path directory;

    @Test
    void everyRequestIsOneLineWithItsEnd() throws Exception {
        Path file = directory.resolve("access.log");
        try (var log = AccessLog.open(file, AccessFormat.JSON, dropped);
                var backend = new RawBackend(RawBackend.text("hello"));
                var harness = new ProxyHarness(new TestSettings(), log, backend)) {
            for (int i = 0; i < 100; i++) {
                get(harness, "/" + i);
            }
            await().untilAsserted(() -> assertThat(Files.readAllLines(file)).hasSize(100));
        }

        List<String> lines = Files.readAllLines(file);
        for (int i = 0; i < 100; i++) {
            var line = Json.tree(lines.get(i));
            assertThat(line.path("target").asText()).isEqualTo("/" + i);
            assertThat(line.path("status").asInt()).isEqualTo(200);
            assertThat(line.path("bytes").asInt()).isEqualTo(5);
            assertThat(line.path("backend").asText()).isEqualTo("b0");
            assertThat(line.path("client").asText()).isEqualTo("127.0.0.1");
        }
        assertThat(dropped.sum()).isZero();
    }

    @Test
    void whatWentWrongIsWrittenToo() throws Exception {
        Path file = directory.resolve("access.log");
        try (var log = AccessLog.open(file, AccessFormat.COMMON, dropped);
                var backend = new RawBackend(call -> call.in().read());
                var harness = new ProxyHarness(new TestSettings(), log, backend)) {
            try (Socket impatient = harness.connect()) {
                send(impatient, "GET /left HTTP/1.1\r\nHost: h\r\n\r\n");
                await().until(() -> backend.heads().size() == 1);
            }
            await().untilAsserted(() -> assertThat(Files.readString(file)).contains("\"GET /left HTTP/1.1\" 499 0"));
            harness.expect(new RawBackend[0]);
            get(harness, "/none");
            await().untilAsserted(() -> assertThat(Files.readString(file)).contains("\"GET /none HTTP/1.1\" 503 0"));
        }
    }

    @Test
    void whatIsCutOffWhenTheProxyEndsIsWrittenToo() throws Exception {
        Path file = directory.resolve("access.log");
        AccessLog log = AccessLog.open(file, AccessFormat.COMMON, dropped);
        try (var backend = new RawBackend(call -> call.in().read());
                var harness = new ProxyHarness(new TestSettings().clearText(ClearText.ANY), log, backend)) {
            send(harness.connect(), "GET /http1 HTTP/1.1\r\nHost: h\r\n\r\n");
            Http2Peer.on(harness.connect()).sendHead(1, true, Http2Peer.get("/http2"));
            await().until(() -> backend.heads().size() == 2);

            harness.proxy.close();
            log.close();

            assertThat(Files.readString(file)).contains("\"GET /http1 HTTP/1.1\" 499 ", "\"GET /http2 ");
        }
        assertThat(dropped.sum()).isZero();
    }

    @Test
    void aRequestWhoseBodyBreaksHasTheStatusThatItsClientGot() throws Exception {
        Path file = directory.resolve("access.log");
        try (var log = AccessLog.open(file, AccessFormat.COMMON, dropped);
                var backend = new RawBackend(call -> call.in().read());
                var harness = new ProxyHarness(new TestSettings(), log, backend);
                Socket client = harness.connect()) {
            send(client, "POST /broken HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n");
            await().until(() -> backend.heads().size() == 1);
            send(client, "zz\r\n");

            assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 400 ");
            await().untilAsserted(() -> assertThat(Files.readString(file)).contains("\"POST /broken HTTP/1.1\" 400 "));
        }
    }

    private static void send(Socket client, String text) throws IOException {
        client.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void aFileThatWasMovedAwayIsMadeAnew() throws Exception {
        Path file = directory.resolve("access.log");
        Path moved = directory.resolve("access.log.1");
        try (var log = AccessLog.open(file, AccessFormat.COMMON, dropped);
                var backend = new RawBackend(RawBackend.text("hello"));
                var harness = new ProxyHarness(new TestSettings(), log, backend)) {
            get(harness, "/before");
            await().until(() -> Files.readString(file).contains("/before"));
            Files.move(file, moved);

            await().untilAsserted(() -> {
                get(harness, "/after");
                assertThat(file).exists().content().contains("/after");
            });
        }
        assertThat(dropped.sum()).isZero();
    }

    @Test
    void aFileThatCannotBeWrittenToIsNamed() {
        Path file = directory.resolve("no").resolve("access.log");

        assertThatThrownBy(() -> AccessLog.open(file, AccessFormat.COMMON, dropped))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(file.toString());
    }

    private static void get(ProxyHarness harness, String path) throws Exception {
        harness.http.send(HttpRequest.newBuilder(harness.uri(path)).build(), BodyHandlers.ofString());
    }
}
