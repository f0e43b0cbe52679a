// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.albm.core.topology.FrontendMode;
import io.netty.channel.epoll.Epoll;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** A TCP frontend: every byte of both directions, and their ends. */
class TcpFrontendTest {
    private static final TestSettings TCP =
            new TestSettings().mode(FrontendMode.TCP).tunnelTimeout(Duration.ofSeconds(20));

    @Test
    void relaysBytesBothWays() throws Exception {
        try (var echo = new SocketServer(socket -> socket.getInputStream().transferTo(socket.getOutputStream()));
                var harness = new ProxyHarness(TCP)) {
            try (Socket client = connect(harness, echo)) {
                for (int i = 0; i < 100; i++) {
                    byte[] sent = ("ping " + i).getBytes(StandardCharsets.US_ASCII);
                    client.getOutputStream().write(sent);
                    assertThat(client.getInputStream().readNBytes(sent.length)).isEqualTo(sent);
                }
                assertThat(harness.directory.backends().getFirst().inFlight()).isEqualTo(1);
            }
            await().until(() -> harness.directory.backends().getFirst().inFlight() == 0);
            await().until(() -> harness.stats.inFlight() == 0 && harness.stats.clients() == 0);
        }
    }

    @Test
    void letsOneDirectionEndBeforeTheOther() throws Exception {
        try (var server = new SocketServer(socket -> {
                    byte[] all = socket.getInputStream().readAllBytes();
                    socket.getOutputStream().write(("got " + all.length).getBytes(StandardCharsets.US_ASCII));
                });
                var harness = new ProxyHarness(TCP)) {
            harness.expect(server.address());
            for (int i = 0; i < 50; i++) {
                try (Socket client = harness.connect()) {
                    client.getOutputStream().write(new byte[1_000 * i]);
                    client.shutdownOutput();
                    assertThat(text(client)).isEqualTo("got " + 1_000 * i);
                }
            }
        }
    }

    @Test
    void goesOnSendingMuchToAClientThatHasEndedItsDirection() throws Exception {
        int size = 24 << 20;
        try (var server = new SocketServer(socket -> {
                    socket.getInputStream().readAllBytes();
                    socket.getOutputStream().write(new byte[size]);
                });
                var harness = new ProxyHarness(TCP);
                Socket client = connect(harness, server)) {
            client.shutdownOutput();
            client.getInputStream().skipNBytes(size);
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void losesNoTailWhenTheServerClosesBehindItsLastByte() throws Exception {
        byte[] document = new byte[2 << 20];
        new Random(1).nextBytes(document);
        var sizes = new Random(2);
        try (var server = new SocketServer(socket -> {
                    int size = Integer.parseInt(line(socket.getInputStream()));
                    socket.getOutputStream().write(document, 0, size);
                });
                var harness = new ProxyHarness(TCP)) {
            harness.expect(server.address());
            for (int i = 0; i < 50; i++) {
                int size = sizes.nextInt(document.length);
                try (Socket client = harness.connect()) {
                    client.getOutputStream().write((size + "\n").getBytes(StandardCharsets.US_ASCII));
                    assertThat(client.getInputStream().readAllBytes()).isEqualTo(Arrays.copyOf(document, size));
                }
            }
            assertThat(harness.stats.splicedBytes() > 0).isEqualTo(Epoll.isAvailable());
        }
    }

    @Test
    void keepsTheOrderOfBytesWhileTheirReaderIsSlow() throws Exception {
        byte[] document = new byte[24 << 20];
        new Random(3).nextBytes(document);
        try (var server = new SocketServer(socket -> {
                    byte[] drop = new byte[256];
                    int at = 0;
                    for (int read = 0; read >= 0; read = socket.getInputStream().read(drop)) {
                        if (!Arrays.equals(drop, 0, read, document, at, at + read)) {
                            return;
                        }
                        at += read;
                    }
                    socket.getOutputStream().write(("" + at).getBytes(StandardCharsets.US_ASCII));
                });
                var harness = new ProxyHarness(TCP);
                Socket client = connect(harness, server)) {
            client.getOutputStream().write(document);
            client.shutdownOutput();
            assertThat(text(client)).isEqualTo("" + document.length);
        }
    }

    @Test
    void losesNoTailOfAnUploadWhoseAnswerCameEarlier() throws Exception {
        var received = new AtomicLong();
        try (var server = new SocketServer(socket -> {
                    socket.shutdownOutput();
                    byte[] block = new byte[8 << 10];
                    for (int read = 0; read >= 0; read = socket.getInputStream().read(block)) {
                        received.addAndGet(read);
                    }
                });
                var harness = new ProxyHarness(TCP)) {
            harness.expect(server.address());
            for (int i = 1; i <= 20; i++) {
                received.set(0);
                int size = i * 200_000;
                try (Socket client = harness.connect()) {
                    assertThat(client.getInputStream().read()).isEqualTo(-1);
                    client.getOutputStream().write(new byte[size]);
                }
                await().until(() -> received.get() == size);
            }
        }
    }

    @Test
    void readsNoFurtherThanTheOtherSideReads() throws Exception {
        long size = 256L << 20;
        var written = new AtomicLong();
        try (var server = new SocketServer(socket -> {
                    byte[] block = new byte[64 << 10];
                    for (long sent = 0; sent < size; sent += block.length) {
                        socket.getOutputStream().write(block);
                        written.addAndGet(block.length);
                    }
                });
                var harness = new ProxyHarness(TCP);
                Socket client = connect(harness, server)) {
            var last = new AtomicLong(-1);
            await().pollInterval(Duration.ofMillis(200))
                    .atMost(Duration.ofSeconds(20))
                    .until(() -> written.get() > 0 && written.get() == last.getAndSet(written.get()));

            assertThat(written.get()).isLessThan(32L << 20);
            client.getInputStream().skipNBytes(size);
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void takesAnotherBackendWhenOneCannotBeConnectedTo() throws Exception {
        var dead = new SocketServer(socket -> {});
        dead.close();
        try (var live = new SocketServer(
                        socket -> socket.getOutputStream().write("live".getBytes(StandardCharsets.US_ASCII)));
                var harness = new ProxyHarness(TCP)) {
            harness.expect(dead.address(), live.address());
            for (int i = 0; i < 10; i++) {
                try (Socket client = harness.connect()) {
                    assertThat(text(client)).isEqualTo("live");
                }
            }
            assertThat(harness.stats.count(ProxyStats.Event.CONNECT_FAILURE)).isPositive();
        }
    }

    @Test
    void closesAClientThatNoBackendCanTake() throws Exception {
        try (var harness = new ProxyHarness(TCP);
                Socket client = harness.connect()) {
            assertThat(client.getInputStream().read()).isEqualTo(-1);
            assertThat(harness.stats.count(ProxyStats.Event.NO_BACKEND)).isEqualTo(1);
        }
    }

    @Test
    void breaksTheClientsConnectionWhenTheBackendsBreaks() throws Exception {
        try (var server = new SocketServer(socket -> {
                    socket.getOutputStream().write(1);
                    socket.getInputStream().read();
                    socket.setSoLinger(true, 0);
                });
                var harness = new ProxyHarness(TCP);
                Socket client = connect(harness, server)) {
            assertThat(client.getInputStream().read()).isEqualTo(1);
            client.getOutputStream().write(1);
            assertThatThrownBy(() -> client.getInputStream().read()).isInstanceOf(SocketException.class);
        }
    }

    /** No configuration makes a frontend that has no greeting: it stands for whatever may go wrong between the two sides. */
    @Test
    @SuppressWarnings("NullAway")
    void keepsNeitherSideNorThePlaceWhenTheTwoCannotBeJoined() throws Exception {
        var ended = new CountDownLatch(1);
        try (var server = new SocketServer(socket -> {
                    if (socket.getInputStream().read() == -1) {
                        ended.countDown();
                    }
                });
                var harness = new ProxyHarness(
                        new TestSettings().mode(FrontendMode.TCP).greeting(null));
                Socket client = connect(harness, server)) {
            assertThat(client.getInputStream().read()).isEqualTo(-1);
            await().until(() -> ended.getCount() == 0);
            await().until(() -> harness.directory.backends().getFirst().inFlight() == 0);
            await().until(() -> harness.stats.inFlight() == 0 && harness.stats.clients() == 0);
        }
    }

    @Test
    void closesATunnelOnWhichNothingMoves() throws Exception {
        try (var silent = new SocketServer(socket -> socket.getInputStream().read());
                var harness = new ProxyHarness(
                        new TestSettings().mode(FrontendMode.TCP).tunnelTimeout(Duration.ofMillis(100)));
                Socket client = connect(harness, silent)) {
            assertThat(client.getInputStream().read()).isEqualTo(-1);
            await().until(() -> harness.directory.backends().getFirst().inFlight() == 0);
        }
    }

    private static Socket connect(ProxyHarness harness, SocketServer server) throws IOException {
        harness.expect(server.address());
        return harness.connect();
    }

    private static String text(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }

    private static String line(InputStream in) throws IOException {
        var line = new StringBuilder();
        for (int b = in.read(); b != '\n'; b = in.read()) {
            line.append((char) b);
        }
        return line.toString();
    }
}
