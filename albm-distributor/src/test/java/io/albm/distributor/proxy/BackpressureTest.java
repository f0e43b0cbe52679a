// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static io.albm.distributor.proxy.RawClient.head;
import static io.albm.distributor.proxy.RawClient.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Bodies flow no faster than who gets them takes them, and whole; who leaves holds nothing. */
class BackpressureTest {
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

            // What the kernel may hold of two connections grows by itself to tens of megabytes on some machines.
            assertThat(written.get()).isLessThan(size / 2);
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
