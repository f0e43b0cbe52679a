// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A well-behaved client in front, a well-behaved backend behind. */
class HttpProxyTest {
    @Test
    void forwardsARequestAndItsResponse() throws Exception {
        try (var backend = new RawBackend(
                        call -> call.reply(
                                "HTTP/1.1 201 Made\r\nContent-Length: 5\r\nX-Own: yes\r\nConnection: X-Hop\r\nX-Hop: no\r\n\r\nhello"));
                var harness = new ProxyHarness(backend)) {
            HttpResponse<String> response = harness.http.send(
                    HttpRequest.newBuilder(harness.uri("/a%20b?c=d"))
                            .header("X-Mine", "1")
                            .build(),
                    BodyHandlers.ofString());

            assertThat(response.statusCode()).isEqualTo(201);
            assertThat(response.body()).isEqualTo("hello");
            assertThat(response.headers().firstValue("X-Own")).contains("yes");
            assertThat(response.headers().firstValue("Via")).contains("1.1 albm");
            assertThat(response.headers().firstValue("X-Hop")).isEmpty();
            assertThat(backend.heads().getFirst())
                    .startsWith("GET /a%20b?c=d HTTP/1.1\r\n")
                    .containsIgnoringCase("x-mine: 1\r\n")
                    .containsIgnoringCase("x-forwarded-for: 127.0.0.1\r\n")
                    .containsIgnoringCase("x-forwarded-proto: http\r\n")
                    .containsIgnoringCase("via: 1.1 albm\r\n")
                    .containsIgnoringCase("host: " + harness.address + "\r\n")
                    .doesNotContainIgnoringCase("\r\nupgrade:");
        }
    }

    @Test
    void keepsConnectionsOpenOnBothSides() throws Exception {
        try (var backend = new RawBackend(RawBackend.text("ok"));
                var harness = new ProxyHarness(backend);
                Socket client = harness.connect()) {
            for (int i = 0; i < 50; i++) {
                send(client, "GET /" + i + " HTTP/1.1\r\nHost: a\r\n\r\n");
                assertThat(readResponse(client)).startsWith("HTTP/1.1 200").endsWith("ok");
            }
            assertThat(backend.heads()).hasSize(50);
            assertThat(backend.openConnections()).isEqualTo(1);
        }
    }

    @Test
    void answersPipelinedRequestsInOrder() throws Exception {
        try (var backend = new RawBackend(call -> {
                    String body = call.target();
                    call.reply("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
                });
                var harness = new ProxyHarness(backend)) {
            var requests = new StringBuilder();
            for (int i = 0; i < 20; i++) {
                requests.append("GET /").append(i).append(" HTTP/1.1\r\nHost: a\r\n\r\n");
            }
            requests.append("GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");

            String all = harness.talk(requests.toString());

            assertThat(all.split("HTTP/1.1 200 OK")).hasSize(22);
            assertThat(backend.heads().stream().map(head -> head.split(" ", 3)[1]))
                    .startsWith("/0", "/1", "/2")
                    .endsWith("/18", "/19", "/last");
        }
    }

    @Test
    void givesTheSameAnswerToARequestThatComesByteByByte() throws Exception {
        try (var backend = new RawBackend(RawBackend.text("ok"));
                var harness = new ProxyHarness(backend);
                Socket client = harness.connect()) {
            client.setTcpNoDelay(true);
            for (byte b : "GET /slowly HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII)) {
                client.getOutputStream().write(b);
            }
            assertThat(readResponse(client)).startsWith("HTTP/1.1 200").endsWith("ok");
        }
    }

    @Test
    void answersHeadWithTheLengthAndWithoutABody() throws Exception {
        try (var backend = new RawBackend(call -> call.reply("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n"));
                var harness = new ProxyHarness(backend)) {
            String answers = harness.talk(
                    head("HEAD / HTTP/1.1", "Host: a") + head("HEAD / HTTP/1.1", "Host: a", "Connection: close"));

            assertThat(answers.split("HTTP/1.1 200 OK")).hasSize(3);
            assertThat(answers).containsIgnoringCase("content-length: 1000000").endsWith("\r\n\r\n");
            assertThat(backend.openConnections()).isEqualTo(1);
        }
    }

    @Test
    void passesAResponseWithoutLengthInChunks() throws Exception {
        try (var backend = new RawBackend(call -> {
                    call.reply("HTTP/1.1 200 OK\r\n\r\nuntil the end");
                    call.socket().close();
                });
                var harness = new ProxyHarness(backend)) {
            assertThat(get(harness, "/").body()).isEqualTo("until the end");
            assertThat(harness.talk("GET / HTTP/1.0\r\n\r\n"))
                    .doesNotContainIgnoringCase("transfer-encoding")
                    .endsWith("\r\n\r\nuntil the end");
        }
    }

    @Test
    void asksForContinueAtTheBackend() throws Exception {
        try (var backend = new RawBackend(call -> {
                    assertThat(call.header("Expect")).contains("100-continue");
                    call.reply("HTTP/1.1 100 Continue\r\n\r\n");
                    String body = new String(call.in().readNBytes(5), StandardCharsets.US_ASCII);
                    call.reply("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n" + body);
                });
                var harness = new ProxyHarness(backend);
                Socket client = harness.connect()) {
            send(client, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
            assertThat(RawBackend.readHead(client.getInputStream())).startsWith("HTTP/1.1 100 Continue");
            send(client, "12345");
            assertThat(readResponse(client)).startsWith("HTTP/1.1 200").endsWith("12345");
        }
    }

    @Test
    void streamsALargeUpload() throws Exception {
        long size = 64L << 20;
        var received = new AtomicLong();
        try (var backend = new RawBackend(call -> {
                    received.set(skip(
                            call.in(),
                            Long.parseLong(call.header("Content-Length").orElseThrow())));
                    call.reply("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                });
                var harness = new ProxyHarness(backend)) {
            HttpResponse<String> response = harness.http.send(
                    HttpRequest.newBuilder(harness.uri("/"))
                            .PUT(BodyPublishers.fromPublisher(
                                    BodyPublishers.ofInputStream(() -> new Zeros(size)), size))
                            .build(),
                    BodyHandlers.ofString());

            assertThat(response.body()).isEqualTo("ok");
            assertThat(received).hasValue(size);
        }
    }

    @Test
    void passesAChunkedUploadOn() throws Exception {
        try (var backend = new RawBackend(call -> {
                    assertThat(call.header("Transfer-Encoding")).contains("chunked");
                    String chunks = RawBackend.readHead(call.in());
                    call.reply("HTTP/1.1 200 OK\r\nContent-Length: " + chunks.length() + "\r\n\r\n" + chunks);
                });
                var harness = new ProxyHarness(backend)) {
            String upload = head("POST / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked", "Connection: close")
                    + head("5;ext=1", "hello", "0", "Trailer-Field: x");

            assertThat(harness.talk(upload))
                    .startsWith("HTTP/1.1 200")
                    .endsWith("\r\n\r\n5;ext=1\r\nhello\r\n0\r\nTrailer-Field: x\r\n\r\n");
        }
    }

    @Test
    void passesChunksOnAsTheyComeAndTheirDataAloneToAnOldClient() throws Exception {
        String chunks = "2;a=b\r\nok\r\n3\r\nayy\r\n0\r\nX-Sum: 5\r\n\r\n";
        try (var backend = new RawBackend(
                        call -> call.reply("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + chunks));
                var harness = new ProxyHarness(backend)) {
            assertThat(harness.talk(head("GET / HTTP/1.1", "Host: a", "Connection: close")))
                    .containsIgnoringCase("transfer-encoding: chunked\r\n")
                    .endsWith("\r\n\r\n" + chunks);
            assertThat(harness.talk(head("GET / HTTP/1.0")))
                    .doesNotContainIgnoringCase("transfer-encoding")
                    .endsWith("\r\n\r\nokayy");
        }
    }

    @Test
    void dropsATrailerThatWouldChangeHowTheMessageIsRead() throws Exception {
        try (var backend = new RawBackend(call -> {
                    String chunks = RawBackend.readHead(call.in());
                    call.reply("HTTP/1.1 200 OK\r\nContent-Length: " + chunks.length() + "\r\n\r\n" + chunks);
                });
                var harness = new ProxyHarness(backend)) {
            String upload = head("POST / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked", "Connection: close")
                    + head("0", "Content-Length: 50", "X-Sum: 1", "Host: evil");

            assertThat(harness.talk(upload)).endsWith("\r\n\r\n0\r\nX-Sum: 1\r\n\r\n");
        }
    }

    @Test
    void passesNoInterimAnswerToAnOldClient() throws Exception {
        try (var backend = new RawBackend(call -> call.reply("HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n"
                        + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
                var harness = new ProxyHarness(backend)) {
            assertThat(harness.talk(head("GET / HTTP/1.0")))
                    .startsWith("HTTP/1.1 200 ")
                    .endsWith("ok");
            assertThat(harness.talk(head("GET / HTTP/1.1", "Host: a", "Connection: close")))
                    .startsWith("HTTP/1.1 103 Early Hints\r\nLink: a\r\n")
                    .endsWith("ok");
        }
    }

    @Test
    void readsNoFurtherFromABackendThanTheClientReads() throws Exception {
        long size = 256L << 20;
        var written = new AtomicLong();
        try (var backend = new RawBackend(call -> {
                    call.reply("HTTP/1.1 200 OK\r\nContent-Length: " + size + "\r\n\r\n");
                    var block = new byte[64 << 10];
                    for (long sent = 0; sent < size; sent += block.length) {
                        call.reply(block);
                        written.addAndGet(block.length);
                    }
                });
                var harness = new ProxyHarness(backend);
                Socket client = harness.connect()) {
            send(client, "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
            var last = new AtomicLong(-1);
            await().pollInterval(Duration.ofMillis(200))
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> written.get() > 0 && written.get() == last.getAndSet(written.get()));

            assertThat(written.get()).isLessThan(32L << 20);
            RawBackend.readHead(client.getInputStream());
            assertThat(skip(client.getInputStream(), size)).isEqualTo(size);
        }
    }

    @Test
    void deliversAllOfAResponseWhoseBackendClosesBeforeASlowClientHasIt() throws Exception {
        byte[] body = new byte[2 << 20];
        try (var backend = new RawBackend(call -> {
                    call.reply("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: " + body.length + "\r\n\r\n");
                    call.reply(body);
                    call.socket().close();
                });
                var harness = new ProxyHarness(backend)) {
            for (int i = 0; i < 20; i++) {
                try (var client = new Socket()) {
                    client.setReceiveBufferSize(4 << 10);
                    client.connect(harness.address.toSocketAddress());
                    send(client, head("GET / HTTP/1.1", "Host: a"));
                    RawBackend.readHead(client.getInputStream());
                    assertThat(skip(client.getInputStream(), body.length)).isEqualTo(body.length);
                }
            }
            assertThat(harness.stats.count(ProxyStats.Event.CUT)).isZero();
        }
    }

    @Test
    void letsTheBackendGoWhenTheClientLeavesInTheMiddle() throws Exception {
        try (var backend = new RawBackend(call -> call.reply("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nsome"));
                var harness = new ProxyHarness(backend)) {
            try (Socket client = harness.connect()) {
                send(client, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
                RawBackend.readHead(client.getInputStream());
                assertThat(harness.directory.backends().getFirst().inFlight()).isEqualTo(1);
            }
            await().until(() -> harness.directory.backends().getFirst().inFlight() == 0);
            await().until(() -> backend.openConnections() == 0 && harness.stats.inFlight() == 0);
        }
    }

    @Test
    void answers503WithAReasonWithoutBackends() throws Exception {
        try (var harness = new ProxyHarness()) {
            HttpResponse<String> response = get(harness, "/");

            assertThat(response.statusCode()).isEqualTo(503);
            assertThat(response.headers().firstValue("Retry-After")).contains("1");
            assertThat(response.headers().firstValue("X-Albm-Reason"))
                    .hasValueSatisfying(reason -> assertThat(reason).startsWith("no backend"));
        }
    }

    @Test
    void closesAConnectionWhoseHeadComesTooSlowly() throws Exception {
        var settings = new TestSettings().headTimeout(Duration.ofMillis(100));
        try (var harness = new ProxyHarness(settings)) {
            assertThat(harness.talk("GET / HTTP/1.1\r\nHost: slow")).startsWith("HTTP/1.1 408 ");
        }
    }

    @Test
    void answers504WhenABackendSaysNothing() throws Exception {
        var settings = new TestSettings().responseTimeout(Duration.ofMillis(100));
        try (var backend = new RawBackend(call -> {});
                var harness = new ProxyHarness(settings, backend)) {
            assertThat(get(harness, "/").statusCode()).isEqualTo(504);
        }
    }

    @Test
    void closesClientsBeyondTheLimit() throws Exception {
        var settings = new TestSettings().maxClients(1);
        try (var backend = new RawBackend(RawBackend.text("ok"));
                var harness = new ProxyHarness(settings, backend);
                Socket first = harness.connect()) {
            send(first, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            readResponse(first);
            try (Socket second = harness.connect()) {
                assertThat(second.getInputStream().read()).isEqualTo(-1);
            }
            assertThat(harness.stats.count(ProxyStats.Event.REFUSED_CLIENT)).isEqualTo(1);
        }
    }

    @Test
    void drainsByFinishingWhatIsInFlight() throws Exception {
        var asked = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        try (var backend = new RawBackend(call -> {
                    asked.countDown();
                    awaitQuietly(goOn);
                    call.reply("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                });
                var harness = new ProxyHarness(backend);
                Socket client = harness.connect()) {
            send(client, "GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            asked.await();
            Thread drain = Thread.startVirtualThread(() -> drainQuietly(harness));
            await().until(() -> refusesConnections(harness));
            goOn.countDown();

            assertThat(new String(client.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 200")
                    .containsIgnoringCase("connection: close")
                    .endsWith("ok");
            drain.join();
        }
    }

    private static void drainQuietly(ProxyHarness harness) {
        try {
            harness.proxy.drain(Duration.ofSeconds(10));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean refusesConnections(ProxyHarness harness) {
        try (Socket socket = harness.connect()) {
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

    /** Lines with their ends, and an empty one. */
    static String head(String... lines) {
        return String.join("\r\n", lines) + "\r\n\r\n";
    }

    static HttpResponse<String> get(ProxyHarness harness, String path) throws Exception {
        return harness.http.send(HttpRequest.newBuilder(harness.uri(path)).build(), BodyHandlers.ofString());
    }

    static void send(Socket socket, String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Reads one response with a Content-Length. */
    static String readResponse(Socket socket) throws IOException {
        String head = RawBackend.readHead(socket.getInputStream());
        int length = head.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-length:"))
                .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
                .findFirst()
                .orElseThrow();
        return head + new String(socket.getInputStream().readNBytes(length), StandardCharsets.ISO_8859_1);
    }

    private static long skip(InputStream in, long bytes) throws IOException {
        var block = new byte[64 << 10];
        long left = bytes;
        while (left > 0) {
            int read = in.read(block, 0, (int) Math.min(block.length, left));
            if (read < 0) {
                break;
            }
            left -= read;
        }
        return bytes - left;
    }

    /** That many zeros, made as they are read. */
    private static final class Zeros extends InputStream {
        private long left;

        Zeros(long size) {
            this.left = size;
        }

        @Override
        public int read() {
            return left-- > 0 ? 0 : -1;
        }

        @Override
        public int read(byte[] into, int offset, int length) {
            if (left <= 0) {
                return -1;
            }
            int count = (int) Math.min(length, left);
            Arrays.fill(into, offset, offset + count, (byte) 0);
            left -= count;
            return count;
        }
    }
}
