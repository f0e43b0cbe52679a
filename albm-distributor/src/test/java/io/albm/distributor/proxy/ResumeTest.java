// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static io.albm.distributor.proxy.RawClient.head;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.distributor.proxy.RawBackend.Script;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client sees of a backend that dies in the middle of a response: nothing, or a cut; never wrong bytes. */
class ResumeTest {
    private static final int SIZE = 1 << 20;
    private static final byte[] DOCUMENT = bytes(1);
    private static final byte[] OTHER_VERSION = bytes(2);

    @Test
    void resumesABodyThatWasCutInTheMiddle() throws Exception {
        try (var dying = new RawBackend(dyingAfter(SIZE / 3));
                var live = new RawBackend(document(DOCUMENT, "\"v1\""));
                var harness = new ProxyHarness(dying, live)) {
            for (int i = 0; i < 10; i++) {
                assertThat(getBytes(harness, "/").body()).isEqualTo(DOCUMENT);
            }
            assertThat(harness.stats.count(ProxyStats.Event.RESUME)).isPositive();
            assertThat(live.heads())
                    .anySatisfy(head -> assertThat(head)
                            .containsIgnoringCase("\r\nrange: bytes=")
                            .containsIgnoringCase("\r\nif-range: \"v1\""));
        }
    }

    @Test
    void resumesAPartThatTheClientAskedFor() throws Exception {
        try (var dying = new RawBackend(call -> {
                    call.reply(
                            "HTTP/1.1 206 Partial\r\nETag: \"v1\"\r\nContent-Length: 1000\r\nContent-Range: bytes 500-1499/"
                                    + SIZE + "\r\n\r\n");
                    call.reply(Arrays.copyOfRange(DOCUMENT, 500, 800));
                    call.socket().close();
                });
                var live = new RawBackend(document(DOCUMENT, "\"v1\""));
                var harness = new ProxyHarness(dying, live)) {
            for (int i = 0; i < 2; i++) {
                HttpResponse<byte[]> response = harness.http.send(
                        HttpRequest.newBuilder(harness.uri("/"))
                                .header("Range", "bytes=500-1499")
                                .build(),
                        BodyHandlers.ofByteArray());
                assertThat(response.body()).isEqualTo(Arrays.copyOfRange(DOCUMENT, 500, 1500));
            }
            assertThat(live.heads())
                    .anySatisfy(head -> assertThat(head).containsIgnoringCase("\r\nrange: bytes=800-1499\r\n"));
        }
    }

    @Test
    void doesNotResumeTheResponseToARequestWhoseBodyNobodyHas() throws Exception {
        Script script = call -> {
            call.in().readNBytes(3);
            call.reply("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 10\r\n\r\nfirst");
            call.socket().close();
        };
        try (var one = new RawBackend(script);
                var other = new RawBackend(script);
                var harness = new ProxyHarness(one, other);
                Socket client = harness.connect()) {
            RawClient.send(client, head("GET / HTTP/1.1", "Host: a", "Content-Length: 3") + "abc");

            assertThat(RawClient.readAll(client)).endsWith("first");
            assertThat(one.heads().size() + other.heads().size()).isEqualTo(1);
        }
    }

    @Test
    void cutsTheClientRatherThanSpliceTwoVersions() throws Exception {
        assertCut(document(OTHER_VERSION, "\"v2\""));
    }

    @Test
    void cutsTheClientWhenTheOtherBackendSendsTheWholeDocument() throws Exception {
        assertCut(call -> {
            call.reply("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: " + SIZE + "\r\n\r\n");
            call.reply(DOCUMENT);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ETag: \"v2\"\r\nContent-Length: %2$d\r\nContent-Range: bytes %1$d-%4$d/%3$d",
                "Content-Length: %2$d\r\nContent-Range: bytes %1$d-%4$d/%3$d",
                "ETag: W/\"v1\"\r\nContent-Length: %2$d\r\nContent-Range: bytes %1$d-%4$d/%3$d",
                "ETag: \"v1\"\r\nContent-Length: %2$d\r\nContent-Range: bytes %1$d-%4$d/*",
                "ETag: \"v1\"\r\nContent-Length: %2$d\r\nContent-Range: bytes %1$d-%4$d/9999999",
                "ETag: \"v1\"\r\nContent-Length: %2$d\r\nContent-Range: bytes 0-%4$d/%3$d",
                "ETag: \"v1\"\r\nContent-Length: 5\r\nContent-Range: bytes %1$d-%4$d/%3$d",
                "ETag: \"v1\"\r\nContent-Length: %2$d",
                "ETag: \"v1\"\r\nContent-Encoding: gzip\r\nContent-Length: %2$d\r\nContent-Range: bytes %1$d-%4$d/%3$d",
            })
    void cutsTheClientWhenTheRestDoesNotFit(String headers) throws Exception {
        assertCut(call -> {
            String range = call.header("Range").orElse("bytes=0-");
            int from = Integer.parseInt(range.substring("bytes=".length(), range.indexOf('-')));
            call.reply("HTTP/1.1 206 Partial\r\n" + headers.formatted(from, SIZE - from, SIZE, SIZE - 1) + "\r\n\r\n");
            call.reply(Arrays.copyOfRange(DOCUMENT, from, SIZE));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "ETag: W/\"v1\"\r\n", "ETag: v1\r\n"})
    void cutsTheClientWhenNothingNamesTheBytes(String etag) throws Exception {
        try (var dying = new RawBackend(dying(etag));
                var live = new RawBackend(dying(etag));
                var harness = new ProxyHarness(dying, live)) {
            assertThatThrownBy(() -> getBytes(harness, "/")).isInstanceOf(IOException.class);
            assertThat(harness.stats.count(ProxyStats.Event.CUT)).isEqualTo(1);
        }
    }

    private static Script dying(String etag) {
        return call -> {
            call.reply("HTTP/1.1 200 OK\r\n" + etag + "Content-Length: 1000\r\n\r\nabc");
            call.socket().close();
        };
    }

    @Test
    void cutsAChunkedResponseWithoutItsLastChunk() throws Exception {
        try (var dying = new RawBackend(call -> {
                    call.reply("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
                    call.socket().close();
                });
                var harness = new ProxyHarness(dying)) {
            assertThat(harness.talk(head("GET / HTTP/1.1", "Host: a"))).endsWith("5\r\nhello\r\n");
            assertThatThrownBy(() -> harness.talk(head("GET / HTTP/1.0"))).isInstanceOf(IOException.class);
        }
    }

    @Test
    void failsNoRequestAndNoByteWhenABackendDiesUnderLoad() throws Exception {
        try (var one = new RawBackend(document(DOCUMENT, "\"v1\""));
                var two = new RawBackend(document(DOCUMENT, "\"v1\""));
                var three = new RawBackend(document(DOCUMENT, "\"v1\""));
                var harness = new ProxyHarness(one, two, three)) {
            int clients = 24;
            int requestsEach = 12;
            var underWay = new CountDownLatch(clients * 2);
            List<CompletableFuture<Integer>> all = IntStream.range(0, clients)
                    .mapToObj(client -> CompletableFuture.supplyAsync(
                            () -> wrongBodies(harness, requestsEach, underWay), Thread::startVirtualThread))
                    .toList();
            underWay.await();
            one.kill();

            assertThat(all).allSatisfy(wrong -> assertThat(wrong.get()).isZero());
            assertThat(harness.stats.count(ProxyStats.Event.CUT)).isZero();
            assertThat(harness.stats.responses(2)).isEqualTo((long) clients * requestsEach);
        }
    }

    private static int wrongBodies(ProxyHarness harness, int requests, CountDownLatch underWay) {
        int wrong = 0;
        for (int i = 0; i < requests; i++) {
            underWay.countDown();
            try {
                wrong += Arrays.equals(getBytes(harness, "/" + i).body(), DOCUMENT) ? 0 : 1;
            } catch (IOException | InterruptedException e) {
                wrong++;
            }
        }
        return wrong;
    }

    private static void assertCut(Script other) throws Exception {
        try (var dying = new RawBackend(dyingAfter(SIZE / 3));
                var live = new RawBackend(other);
                var harness = new ProxyHarness(dying, live)) {
            int cuts = 0;
            for (int i = 0; i < 4; i++) {
                try (Socket client = harness.connect()) {
                    RawClient.send(client, head("GET / HTTP/1.1", "Host: a", "Connection: close"));
                    String answer = RawBackend.readHead(client.getInputStream());
                    if (!answer.startsWith("HTTP/1.1 200") || !answer.contains("\"v1\"")) {
                        continue;
                    }
                    byte[] body = client.getInputStream().readAllBytes();
                    assertThat(body).isEqualTo(Arrays.copyOf(DOCUMENT, body.length));
                    cuts += body.length < SIZE ? 1 : 0;
                }
            }
            assertThat(cuts).isPositive();
            assertThat(harness.stats.count(ProxyStats.Event.CUT)).isEqualTo(cuts);
            assertThat(harness.stats.count(ProxyStats.Event.RESUME)).isZero();
        }
    }

    /** Serves a document as it should be, with ranges. */
    private static Script document(byte[] bytes, String etag) {
        return call -> {
            String range = call.header("Range").orElse("");
            boolean part = !range.isEmpty()
                    && call.header("If-Range").filter(tag -> !tag.equals(etag)).isEmpty();
            if (!part) {
                call.reply("HTTP/1.1 200 OK\r\nETag: " + etag + "\r\nContent-Length: " + bytes.length + "\r\n\r\n");
                call.reply(bytes);
                return;
            }
            String[] ends = range.substring("bytes=".length()).split("-", 2);
            int from = Integer.parseInt(ends[0]);
            int to = ends[1].isEmpty() ? bytes.length - 1 : Integer.parseInt(ends[1]);
            call.reply("HTTP/1.1 206 Partial Content\r\nETag: " + etag + "\r\nContent-Length: " + (to - from + 1)
                    + "\r\nContent-Range: bytes " + from + "-" + to + "/" + bytes.length + "\r\n\r\n");
            call.reply(Arrays.copyOfRange(bytes, from, to + 1));
        };
    }

    private static Script dyingAfter(int bytes) {
        return call -> {
            call.reply("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: " + SIZE + "\r\n\r\n");
            call.reply(Arrays.copyOf(DOCUMENT, bytes));
            call.socket().close();
        };
    }

    private static byte[] bytes(long seed) {
        var bytes = new byte[SIZE];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static HttpResponse<byte[]> getBytes(ProxyHarness harness, String path)
            throws IOException, InterruptedException {
        return harness.http.send(HttpRequest.newBuilder(harness.uri(path)).build(), BodyHandlers.ofByteArray());
    }
}
