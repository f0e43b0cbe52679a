// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static io.albm.distributor.proxy.RawClient.head;
import static io.albm.distributor.proxy.RawClient.readResponse;
import static io.albm.distributor.proxy.RawClient.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.core.topology.Priority;
import io.albm.distributor.http.RouteTable;
import io.albm.distributor.stats.Traffic.Count;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How connections of HTTP/1.1 end, and what becomes of an answer whose client has not taken all of it yet. */
@Timeout(60)
class ConnectionEndTest {
    private static final byte[] PIECE = new byte[16 << 10];
    private static final int LEFT_BYTES = 128 << 10;

    /** So long is a body that the proxy is done with while a good part of it waits for its client, who reads nothing. */
    private static int lateBytes;

    private final Semaphore held = new Semaphore(0);

    /** Sends piece after piece until the proxy reads no more, because its client does not. */
    @BeforeAll
    static void fillTheProxy() throws Exception {
        var frontend = new AtomicLong();
        try (var backend = new RawBackend(call -> {
                    call.reply(head("HTTP/1.1 200 OK", "Content-Length: " + (1L << 40)));
                    for (long sent = PIECE.length; !call.socket().isClosed(); sent += PIECE.length) {
                        call.reply(PIECE);
                        while (frontend.get() < sent && !call.socket().isClosed()) {
                            Thread.onSpinWait();
                        }
                    }
                });
                var harness = new ProxyHarness(settings(), backend)) {
            Frontend filled = frontend(harness);
            try (Socket client = connect(harness, filled)) {
                send(client, head("GET / HTTP/1.1", "Host: a"));
                var last = new AtomicLong(-1);
                await().pollInterval(Duration.ofMillis(2)).until(() -> {
                    frontend.set(filled.traffic().total(Count.BYTES_OUT));
                    return frontend.get() > PIECE.length && stands(frontend.get(), last);
                });
                lateBytes = (int) frontend.get() - LEFT_BYTES;
            }
        }
    }

    private static int looks;

    /** Whether it has been the same a hundred times. */
    private static boolean stands(long now, AtomicLong last) {
        looks = now == last.getAndSet(now) ? looks + 1 : 0;
        return looks == 100;
    }

    private static TestSettings settings() {
        return new TestSettings().idleTimeout(Duration.ofMinutes(1));
    }

    private static Frontend frontend(ProxyHarness harness) {
        var destination = new Destination(harness.pool, harness.directory, Priority.NORMAL);
        return new Frontend(
                new Frontend.Terms(new TestSettings().frontend(), null, new RouteTable<>(List.of(), destination)));
    }

    private static Socket connect(ProxyHarness harness, Frontend frontend) throws IOException {
        return connect(
                harness.proxy.listen(ProxyHarness.LOOPBACK, frontend).address().port());
    }

    private static Socket connect(int port) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(10_000);
        return socket;
    }

    private void serve(RawBackend.Call call) throws IOException {
        switch (call.target()) {
            case "/late" -> {
                call.reply(head("HTTP/1.1 200 OK", "Content-Length: " + lateBytes));
                call.reply(new byte[lateBytes]);
            }
            case "/held" -> {
                call.reply(head("HTTP/1.1 200 OK", "Content-Length: 2") + "o");
                held.acquireUninterruptibly();
                call.reply("k");
            }
            default -> RawBackend.text("ok").answer(call);
        }
    }

    /** Asks for an answer and reads none of it until the proxy is done with it. */
    private static void ask(ProxyHarness harness, Socket client, String... request) throws IOException {
        long before = harness.stats.responses(2);
        send(client, head(request));
        await().until(() -> harness.stats.responses(2) == before + 1);
    }

    private static void take(Socket client) throws IOException {
        RawBackend.readHead(client.getInputStream());
        assertThat(client.getInputStream().readNBytes(lateBytes)).hasSize(lateBytes);
    }

    @Test
    void aClientThatTookItsAnswerLateMakesRoomAfterwards() throws Exception {
        try (var backend = new RawBackend(this::serve);
                var harness = new ProxyHarness(settings().maxClients(2), backend);
                Socket one = connect(harness.address.port());
                Socket other = connect(harness.address.port())) {
            for (Socket client : List.of(one, other)) {
                ask(harness, client, "GET /late HTTP/1.1", "Host: a");
                take(client);
            }

            await().ignoreExceptions()
                    .until(() -> harness.talk(head("GET / HTTP/1.1", "Host: a", "Connection: close"))
                            .startsWith("HTTP/1.1 200 "));
        }
    }

    @Test
    void aDrainedClientGetsTheEndOfItsAnswer() throws Exception {
        try (var backend = new RawBackend(this::serve);
                var harness = new ProxyHarness(settings(), backend)) {
            Frontend drained = frontend(harness);
            int port = harness.proxy
                    .listen(ProxyHarness.LOOPBACK, drained)
                    .address()
                    .port();
            try (Socket late = connect(port);
                    Socket quiet = connect(port);
                    Socket quietToo = connect(port)) {
                ask(harness, late, "GET /late HTTP/1.1", "Host: a");
                await().until(() -> harness.stats.clients() == 3);
                harness.proxy.drain(drained);
                assertThat(quiet.getInputStream().read()).isEqualTo(-1);
                assertThat(quietToo.getInputStream().read()).isEqualTo(-1);

                take(late);
                assertThat(late.getInputStream().read()).isEqualTo(-1);
            }
        }
    }

    @Test
    void aDrainedClientWhoseAnswerHadBegunIsLetGoBehindIt() throws Exception {
        try (var backend = new RawBackend(this::serve);
                var harness = new ProxyHarness(settings(), backend)) {
            Frontend drained = frontend(harness);
            try (Socket client = connect(harness, drained)) {
                send(client, head("GET /held HTTP/1.1", "Host: a"));
                assertThat(RawBackend.readHead(client.getInputStream())).doesNotContain("close");
                harness.proxy.drain(drained);
                turnBothLoops(harness);
                held.release();

                assertThat(client.getInputStream().readAllBytes()).asString().isEqualTo("ok");
            }
        }
    }

    /** Lets the proxy do what it was told before. */
    private static void turnBothLoops(ProxyHarness harness) throws IOException {
        for (int i = 0; i < 4; i++) {
            assertThat(harness.talk("no request\r\n\r\n")).startsWith("HTTP/1.1 400");
        }
    }

    @Test
    void aClientWhoseRequestWasNotReadToItsEndHasTimeForItsAnswer() throws Exception {
        try (var backend = new RawBackend(this::serve);
                var harness = new ProxyHarness(settings(), backend);
                Socket late = connect(harness.address.port());
                Socket later = connect(harness.address.port())) {
            ask(harness, late, "GET /late HTTP/1.1", "Host: a", "Content-Length: 5");
            send(later, "no request\r\n\r\n");
            await().until(() -> harness.proxy.clients() == 1);

            take(late);
            assertThat(late.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void aBodyThatNobodyWantsIsReadAwaySoThatItsAnswerArrives() throws Exception {
        byte[] body = new byte[32 << 20];
        try (var harness = new ProxyHarness(settings());
                Socket client = connect(harness.address.port())) {
            send(client, head("POST / HTTP/1.1", "Host: a", "Content-Length: " + 2 * body.length));
            client.getOutputStream().write(body);

            assertThat(readResponse(client)).startsWith("HTTP/1.1 503 ");
        }
    }
}
