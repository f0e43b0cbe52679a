// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static io.albm.distributor.proxy.RawClient.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A backend owes its response from when it has the whole request, however long that takes and whatever it says before. */
@Timeout(30)
class LongUploadTest {
    private static final Duration RESPONSE_TIMEOUT = Duration.ofMillis(200);
    private static final TestSettings IMPATIENT = new TestSettings().responseTimeout(RESPONSE_TIMEOUT);
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    private static final int SMALL_BUFFER = 64 << 10;
    private static final int SIZE = 3 << 20;
    private static final String POST = "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n";
    private static final String HEAD = POST + "Transfer-Encoding: chunked\r\n";

    @Test
    void mayFollowAContinueForLongerThanAResponseMayTake() throws Exception {
        try (var backend = new RawBackend(call -> {
                    call.reply("HTTP/1.1 100 Continue\r\n\r\n");
                    RawBackend.readHead(call.in());
                    RawBackend.text("hello").answer(call);
                });
                var harness = new ProxyHarness(IMPATIENT, backend);
                Socket client = harness.connect()) {
            send(client, HEAD + "Expect: 100-continue\r\n\r\n");
            assertThat(RawBackend.readHead(client.getInputStream())).startsWith("HTTP/1.1 100 ");
            upload(client);

            assertThat(RawClient.readAll(client)).startsWith("HTTP/1.1 200 ").endsWith("hello");
        }
    }

    @Test
    void mayGoOnBesideAResponseThatPauses() throws Exception {
        try (var backend = new RawBackend(call -> {
                    call.reply("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello");
                    RawBackend.readHead(call.in());
                    call.reply("hello");
                });
                var harness = new ProxyHarness(IMPATIENT, backend);
                Socket client = harness.connect()) {
            send(client, HEAD + "\r\n");
            assertThat(RawBackend.readHead(client.getInputStream())).startsWith("HTTP/1.1 200 ");
            upload(client);

            assertThat(RawClient.readAll(client)).isEqualTo("hellohello");
        }
    }

    @Test
    void mayGoOnBesideALargeResponseThatItsClientWasSlowToTake() throws Exception {
        int size = 64 << 20;
        var written = new AtomicLong();
        try (var backend = new RawBackend(call -> {
                    call.reply("HTTP/1.1 200 OK\r\nContent-Length: " + (size + 5) + "\r\n\r\n");
                    var block = new byte[64 << 10];
                    while (written.get() < size) {
                        call.reply(block);
                        written.addAndGet(block.length);
                    }
                    RawBackend.readHead(call.in());
                    call.reply("hello");
                });
                var harness = new ProxyHarness(IMPATIENT, backend);
                Socket client = harness.connect()) {
            send(client, HEAD + "\r\n");
            var last = new AtomicLong(-1);
            await().pollInterval(RESPONSE_TIMEOUT)
                    .until(() -> written.get() > 0 && written.get() == last.getAndSet(written.get()));
            RawBackend.readHead(client.getInputStream());
            client.getInputStream().skipNBytes(size);
            upload(client);

            assertThat(RawClient.readAll(client)).isEqualTo("hello");
        }
    }

    @Test
    void isFollowedByTheWholeWaitForAResponseThatDoesNotCome() throws Exception {
        try (var backend = new RawBackend(call -> {
                    call.reply("HTTP/1.1 100 Continue\r\n\r\n");
                    RawBackend.readHead(call.in());
                });
                var harness = new ProxyHarness(IMPATIENT, backend);
                Socket client = harness.connect()) {
            send(client, HEAD + "Expect: 100-continue\r\n\r\n");
            assertThat(RawBackend.readHead(client.getInputStream())).startsWith("HTTP/1.1 100 ");
            upload(client);

            assertThat(RawClient.readAll(client)).startsWith("HTTP/1.1 504 ");
            assertThat(backend.heads()).hasSize(1);
        }
    }

    @Test
    void isFollowedByTheWaitForTheRestOfAResponseThatPauses() throws Exception {
        try (var backend = new RawBackend(call -> {
                    call.reply("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello");
                    RawBackend.readHead(call.in());
                });
                var harness = new ProxyHarness(IMPATIENT, backend);
                Socket client = harness.connect()) {
            send(client, HEAD + "\r\n");
            upload(client);

            assertThat(RawClient.readAll(client)).endsWith("\r\n\r\nhello");
            assertThat(harness.stats.count(ProxyStats.Event.CUT)).isOne();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 3145728\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n300000\r\n"})
    void mayBeTakenSlowlyOutOfTheKernelForLongerThanAResponseMayTake(String framing) throws Exception {
        try (var backend = new RawBackend(call -> {
                    call.socket().setReceiveBufferSize(SMALL_BUFFER);
                    takeSlowly(call.in(), SIZE);
                    RawBackend.text("hello").answer(call);
                });
                var harness = new ProxyHarness(new TestSettings().responseTimeout(PATIENCE), backend);
                Socket client = harness.connect()) {
            send(client, POST + framing);
            client.getOutputStream().write(new byte[SIZE]);
            send(client, framing.startsWith("Content-Length") ? "" : "\r\n0\r\n\r\n");

            assertThat(RawClient.readAll(client)).startsWith("HTTP/1.1 200 ").endsWith("hello");
        }
    }

    @Test
    void isGivenUpWhenTheBackendTakesNoMoreOfIt() throws Exception {
        var end = new CountDownLatch(1);
        try (var backend = new RawBackend(call -> {
                    call.socket().setReceiveBufferSize(SMALL_BUFFER);
                    call.in().skipNBytes(SMALL_BUFFER);
                    call.await(end);
                });
                var harness = new ProxyHarness(IMPATIENT, backend);
                Socket client = harness.connect()) {
            send(client, POST + "Content-Length: 3145728\r\n\r\n");
            client.getOutputStream().write(new byte[SIZE]);

            assertThat(RawClient.readAll(client)).startsWith("HTTP/1.1 504 ");
            end.countDown();
        }
    }

    /** Takes so little at a time that a socket's queue is not a third emptier within {@link #PATIENCE}. */
    private static void takeSlowly(InputStream from, int bytes) {
        var taken = new AtomicLong();
        await().pollInterval(PATIENCE.dividedBy(10))
                .atMost(PATIENCE.multipliedBy(20))
                .until(() -> taken.addAndGet(from.readNBytes(64 << 10).length) == bytes);
    }

    /** Sends chunks for several times as long as a response may take, and then the end. */
    private static void upload(Socket client) throws IOException {
        long began = System.nanoTime();
        await().pollInterval(RESPONSE_TIMEOUT.dividedBy(4)).until(() -> {
            client.getOutputStream().write("1\r\nx\r\n".getBytes(StandardCharsets.US_ASCII));
            return System.nanoTime() - began > RESPONSE_TIMEOUT.multipliedBy(4).toNanos();
        });
        send(client, "0\r\n\r\n");
    }
}
