// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static io.albm.distributor.proxy.RawClient.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A backend owes its response from when it has the whole request, however long that takes and whatever it says before. */
@Timeout(30)
class LongUploadTest {
    private static final Duration RESPONSE_TIMEOUT = Duration.ofMillis(200);
    private static final TestSettings IMPATIENT = new TestSettings().responseTimeout(RESPONSE_TIMEOUT);
    private static final String HEAD =
            "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n";

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
