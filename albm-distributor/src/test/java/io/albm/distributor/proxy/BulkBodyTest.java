// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static io.albm.distributor.proxy.RawClient.head;
import static io.albm.distributor.proxy.RawClient.readResponse;
import static io.albm.distributor.proxy.RawClient.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.core.json.Json;
import io.albm.distributor.http.AccessFormat;
import io.albm.distributor.proxy.RawBackend.Call;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bodies that the kernel moves: every byte once, in its order, counted, whoever is slow or dies. */
@Timeout(60)
class BulkBodyTest {
    private static final byte[] DOCUMENT = new byte[3 << 20];
    private static final int SMALL_BUFFER = 8 << 10;
    private static final int DROP = 256;
    private static final int PIECE = 64 << 10;

    static {
        new Random(7).nextBytes(DOCUMENT);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void passesResponsesOfAnySizeOneBehindTheOther(long seed) throws Exception {
        try (var backend = new RawBackend(call -> slice(call, DOCUMENT));
                var harness = new ProxyHarness(backend);
                Socket client = harness.connect()) {
            int[] sizes = sizes(seed, 40);
            for (int size : sizes) {
                send(client, head("GET /" + size + " HTTP/1.1", "Host: a"));
            }
            for (int size : sizes) {
                assertThat(RawBackend.readHead(client.getInputStream())).startsWith("HTTP/1.1 200");
                assertBytes(client.getInputStream(), size);
            }
            assertThat(harness.stats.splicedBytes() > 0).isEqualTo(Epoll.isAvailable());
        }
    }

    @Test
    void passesAllOfAResponseToAClientThatReadsInDrops() throws Exception {
        try (var backend = new RawBackend(call -> slice(call, DOCUMENT));
                var harness = new ProxyHarness(backend);
                Socket client = slowSocket(harness)) {
            for (int size : sizes(4, 4)) {
                send(client, head("GET /" + size + " HTTP/1.1", "Host: a"));
                assertThat(RawBackend.readHead(client.getInputStream())).startsWith("HTTP/1.1 200");
                assertBytes(client.getInputStream(), size);
            }
        }
    }

    @Test
    void answersHeadAndAnOldClientBetweenBodies() throws Exception {
        try (var backend = new RawBackend(call -> {
                    if (call.head().startsWith("HEAD")) {
                        call.reply("HTTP/1.1 200 OK\r\nContent-Length: " + DOCUMENT.length + "\r\n\r\n");
                    } else {
                        slice(call, DOCUMENT);
                    }
                });
                var harness = new ProxyHarness(backend);
                Socket client = harness.connect()) {
            for (int i = 0; i < 5; i++) {
                send(client, head("HEAD / HTTP/1.1", "Host: a") + head("GET /1000000 HTTP/1.1", "Host: a"));
                assertThat(RawBackend.readHead(client.getInputStream())).contains("" + DOCUMENT.length);
                assertThat(RawBackend.readHead(client.getInputStream())).contains("1000000");
                assertBytes(client.getInputStream(), 1_000_000);
            }
            try (Socket old = harness.connect()) {
                send(old, head("GET /1000000 HTTP/1.0"));
                assertThat(RawBackend.readHead(old.getInputStream())).startsWith("HTTP/1.1 200");
                assertBytes(old.getInputStream(), 1_000_000);
                assertThat(old.getInputStream().read()).isEqualTo(-1);
            }
        }
    }

    @Test
    void givesNothingThatComesBehindABodyToTheNextClient() throws Exception {
        byte[] fake = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfake".getBytes(StandardCharsets.US_ASCII);
        try (var backend = new RawBackend(call -> {
                    // In one segment with the body's last byte: what comes later may be the answer to the next request.
                    call.reply("HTTP/1.1 200 OK\r\nContent-Length: 2000000\r\n\r\n");
                    call.out().write(DOCUMENT, 0, 1_999_999);
                    call.out().write(withFirst(DOCUMENT[1_999_999], fake));
                });
                var harness = new ProxyHarness(backend);
                Socket client = harness.connect()) {
            for (int i = 0; i < 20; i++) {
                send(client, head("GET /2000000 HTTP/1.1", "Host: a"));
                assertThat(RawBackend.readHead(client.getInputStream())).contains("2000000");
                assertBytes(client.getInputStream(), 2_000_000);
            }
        }
    }

    @Test
    void goesOnToTheByteWhereABackendDied() throws Exception {
        var cuts = new Random(5);
        try (var dying = new RawBackend(call -> {
                    call.reply("HTTP/1.1 200 OK\r\nETag: \"v\"\r\nContent-Length: " + DOCUMENT.length + "\r\n\r\n");
                    call.out().write(DOCUMENT, 0, cuts.nextInt(DOCUMENT.length));
                    call.socket().close();
                });
                var live = new RawBackend(BulkBodyTest::rest);
                var harness = new ProxyHarness(dying, live)) {
            for (int i = 0; i < 20; i++) {
                byte[] body = harness.http
                        .send(HttpRequest.newBuilder(harness.uri("/")).build(), BodyHandlers.ofByteArray())
                        .body();
                assertThat(Arrays.equals(body, DOCUMENT)).isTrue();
            }
            assertThat(harness.stats.count(ProxyStats.Event.RESUME)).isPositive();
        }
    }

    @Test
    void countsWhatTheKernelMoved(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("access.log");
        try (var log = AccessLog.open(file, AccessFormat.JSON, new LongAdder());
                var backend = new RawBackend(call -> slice(call, DOCUMENT));
                var harness = new ProxyHarness(new TestSettings(), log, backend);
                Socket client = harness.connect()) {
            send(client, head("GET /2500000 HTTP/1.1", "Host: a"));
            RawBackend.readHead(client.getInputStream());
            assertBytes(client.getInputStream(), 2_500_000);
            await().untilAsserted(() -> assertThat(Files.readAllLines(file)).hasSize(1));
        }
        assertThat(Json.tree(Files.readString(file)).path("bytes").asInt()).isEqualTo(2_500_000);
    }

    @ParameterizedTest
    @ValueSource(longs = {6, 7})
    void passesUploadsOfAnySizeOneBehindTheOther(long seed) throws Exception {
        try (var backend = new RawBackend(BulkBodyTest::check);
                var harness = new ProxyHarness(backend);
                Socket client = harness.connect()) {
            int[] sizes = sizes(seed, 40);
            var sender = CompletableFuture.runAsync(() -> upload(client, sizes), Thread::startVirtualThread);
            for (int size : sizes) {
                assertThat(readResponse(client)).startsWith("HTTP/1.1 200").endsWith("all " + size);
            }
            sender.get();
            assertThat(harness.stats.splicedBytes() > 0).isEqualTo(Epoll.isAvailable());
        }
    }

    @Test
    void passesAllOfAnUploadToABackendThatReadsInDrops() throws Exception {
        int times = 8;
        int size = times * DOCUMENT.length;
        try (var backend = new RawBackend(call -> {
                    for (int i = 0; i < times; i++) {
                        assertBytes(call.in(), DOCUMENT.length, DROP);
                    }
                    RawBackend.text("all").answer(call);
                });
                var harness = new ProxyHarness(backend);
                Socket client = harness.connect()) {
            send(client, head("PUT / HTTP/1.1", "Host: a", "Content-Length: " + size));
            for (int i = 0; i < times; i++) {
                client.getOutputStream().write(DOCUMENT);
            }
            assertThat(readResponse(client)).endsWith("all");
        }
    }

    @Test
    void answers502WhenABackendDiesInTheMiddleOfAnUpload() throws Exception {
        var calls = new AtomicInteger();
        try (var backend = new RawBackend(call -> {
                    calls.incrementAndGet();
                    call.in().skipNBytes(1_000_000);
                    call.reset();
                });
                var harness = new ProxyHarness(backend);
                Socket client = harness.connect()) {
            send(client, head("PUT / HTTP/1.1", "Host: a", "Content-Length: " + (DOCUMENT.length + 1)));
            client.getOutputStream().write(DOCUMENT);
            assertThat(readResponse(client)).startsWith("HTTP/1.1 502");
            assertThat(calls).hasValue(1);
        }
    }

    private static Socket slowSocket(ProxyHarness harness) throws IOException {
        var socket = new Socket();
        socket.setReceiveBufferSize(SMALL_BUFFER);
        socket.setSoTimeout(10_000);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), harness.address.port()));
        return socket;
    }

    /** Around the sizes at which something changes, and any. */
    private static int[] sizes(long seed, int count) {
        var random = new Random(seed);
        int[] edges = {0, 1, 2 << 10, 16 << 10, 18 << 10, 64 << 10, 256 << 10, 258 << 10, 1 << 20};
        return IntStream.range(0, count)
                .map(i -> i % 2 == 0
                        ? random.nextInt(DOCUMENT.length)
                        : Math.max(0, edges[random.nextInt(edges.length)] + random.nextInt(5) - 2))
                .toArray();
    }

    private static byte[] withFirst(byte first, byte[] others) {
        byte[] all = new byte[1 + others.length];
        all[0] = first;
        System.arraycopy(others, 0, all, 1, others.length);
        return all;
    }

    private static void slice(Call call, byte[] document) throws IOException {
        int size = Integer.parseInt(call.target().substring(1));
        call.reply("HTTP/1.1 200 OK\r\nContent-Length: " + size + "\r\n\r\n");
        call.out().write(document, 0, size);
    }

    /** Answers a request for a range as asked, any other with the whole document. */
    private static void rest(Call call) throws IOException {
        int from = call.header("Range")
                .map(range -> Integer.parseInt(range.substring("bytes=".length(), range.indexOf('-'))))
                .orElse(0);
        String status = from == 0 ? "200 OK" : "206 Partial Content";
        call.reply("HTTP/1.1 " + status + "\r\nETag: \"v\"\r\nContent-Length: " + (DOCUMENT.length - from)
                + "\r\nContent-Range: bytes " + from + "-" + (DOCUMENT.length - 1) + "/" + DOCUMENT.length
                + "\r\n\r\n");
        call.out().write(DOCUMENT, from, DOCUMENT.length - from);
    }

    private static void upload(Socket client, int... sizes) {
        try {
            for (int size : sizes) {
                send(client, head("POST / HTTP/1.1", "Host: a", "Content-Length: " + size));
                client.getOutputStream().write(DOCUMENT, 0, size);
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void check(Call call) throws IOException {
        int size = Integer.parseInt(call.header("Content-Length").orElseThrow());
        assertBytes(call.in(), size);
        RawBackend.text("all " + size).answer(call);
    }

    /** Reads that many bytes of the document, in pieces of any size. */
    private static void assertBytes(InputStream in, int size) throws IOException {
        assertBytes(in, size, PIECE);
    }

    private static void assertBytes(InputStream in, int size, int largestPiece) throws IOException {
        var piece = new byte[largestPiece];
        for (int at = 0; at < size; ) {
            int wanted = Math.min(size - at, 1 + ThreadLocalRandom.current().nextInt(piece.length));
            int read = in.read(piece, 0, wanted);
            if (read <= 0 || !Arrays.equals(piece, 0, read, DOCUMENT, at, at + read)) {
                throw new IOException("wrong bytes between " + at + " and " + (at + read) + " of " + size);
            }
            at += read;
        }
    }
}
