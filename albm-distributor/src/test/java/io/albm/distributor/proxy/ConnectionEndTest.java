// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static io.albm.distributor.proxy.RawClient.head;
import static io.albm.distributor.proxy.RawClient.readResponse;
import static io.albm.distributor.proxy.RawClient.send;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.core.topology.Priority;
import io.albm.distributor.http.RouteTable;
import io.albm.distributor.stats.Traffic;
import io.albm.distributor.stats.Traffic.Count;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How connections of HTTP/1.1 end, and what becomes of an answer whose client has not taken all of it yet. */
@Timeout(60)
class ConnectionEndTest {
    private static final byte[] PIECE = new byte[256 << 10];
    private static final long ENDLESS = 1L << 40;

    /** More than the head of an answer, less than what matters. */
    private static final int HEAD_BYTES = 1 << 10;

    private final Semaphore held = new Semaphore(0);

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
            case "/held" -> {
                call.reply(head("HTTP/1.1 200 OK", "Content-Length: 2") + "o");
                held.acquireUninterruptibly();
                call.reply("k");
            }
            case "/" -> RawBackend.text("ok").answer(call);
            default -> reply(call, Long.parseLong(call.target().substring(1)));
        }
    }

    private static void reply(RawBackend.Call call, long bytes) throws IOException {
        call.reply(head("HTTP/1.1 200 OK", "Content-Length: " + bytes));
        for (long left = bytes; left > 0; left -= PIECE.length) {
            call.out().write(PIECE, 0, (int) Math.min(left, PIECE.length));
        }
    }

    /** A client that has read nothing yet of the body that waits for it. */
    private record Late(Socket socket, int bytes) implements Closeable {
        void take() throws IOException {
            RawBackend.readHead(socket.getInputStream());
            assertThat(socket.getInputStream().readNBytes(bytes)).hasSize(bytes);
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    /**
     * Asks for an answer and reads none of it until the proxy is done with it, while a good part of it waits there. It is
     * as long as what the proxy took of a longer one before it read no more: the kernel takes more from one connection
     * than from another, so that what fits is found by trying.
     */
    private static Late late(ProxyHarness harness, Frontend frontend, String... fields) throws IOException {
        int others = harness.proxy.clients();
        long bytes = ENDLESS;
        while (true) {
            Socket client = connect(harness, frontend);
            long taken = ask(harness, frontend, client, bytes, fields);
            if (taken == bytes) {
                return new Late(client, (int) bytes);
            }
            bytes = taken - HEAD_BYTES;
            client.close();
            await().until(() -> harness.proxy.clients() == others);
        }
    }

    /** How much the proxy has taken, with the head, once it stands; all bytes if it is done. */
    private static long ask(ProxyHarness harness, Frontend frontend, Socket client, long bytes, String... fields)
            throws IOException {
        Traffic traffic = frontend.traffic();
        long before = traffic.total(Count.BYTES_OUT);
        long answers = harness.stats.responses(2);
        send(
                client,
                head(Stream.concat(Stream.of("GET /" + bytes + " HTTP/1.1", "Host: a"), Stream.of(fields))
                        .toArray(String[]::new)));
        var taken = new AtomicLong();
        var looks = new AtomicInteger();
        await().pollInterval(Duration.ofMillis(2)).until(() -> {
            long now = traffic.total(Count.BYTES_OUT) - before;
            looks.set(now > HEAD_BYTES && now == taken.getAndSet(now) ? looks.get() + 1 : 0);
            return harness.stats.responses(2) > answers || looks.get() == 100;
        });
        return harness.stats.responses(2) > answers ? bytes : taken.get();
    }

    @Test
    void aClientThatTookItsAnswerLateMakesRoomAfterwards() throws Exception {
        try (var backend = new RawBackend(this::serve);
                var harness = new ProxyHarness(settings().maxClients(2), backend);
                Late one = late(harness, frontend(harness));
                Late other = late(harness, frontend(harness))) {
            one.take();
            other.take();

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
            try (Late late = late(harness, drained);
                    Socket quiet = connect(harness, drained);
                    Socket quietToo = connect(harness, drained)) {
                await().until(() -> harness.stats.clients() == 3);
                harness.proxy.drain(drained);
                assertThat(quiet.getInputStream().read()).isEqualTo(-1);
                assertThat(quietToo.getInputStream().read()).isEqualTo(-1);

                late.take();
                assertThat(late.socket().getInputStream().read()).isEqualTo(-1);
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
                Late late = late(harness, frontend(harness), "Content-Length: 5");
                Socket later = connect(harness.address.port())) {
            send(later, "no request\r\n\r\n");
            await().until(() -> harness.proxy.clients() == 1);

            late.take();
            assertThat(late.socket().getInputStream().read()).isEqualTo(-1);
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
