// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.flow.FlowControlHandler;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A server that decides by the head of a request whether it takes the body, over real sockets. */
class FrameGateTest {

    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int ECHO = 0x90;
    private static final int HOLD = 0x91;
    private static final int MOST_BODY_BYTES = 1000;
    private static final FrameServerLimits LIMITS = new FrameServerLimits(16, 1, Duration.ofMillis(100));

    private final Transport transport = Transport.open(1);
    private final FrameClient client = new FrameClient(transport);
    private final List<Peer> closed = new CopyOnWriteArrayList<>();
    private final Queue<CompletableFuture<Reply>> held = new ConcurrentLinkedQueue<>();
    private final FrameServer server = FrameServer.bind(transport, new NodeAddress("127.0.0.1", 0), new Picky(), LIMITS)
            .join();

    private final class Picky implements FrameHandler {
        @Override
        public CompletionStage<Reply> handle(Frame request, Peer peer) {
            if (request.type() == ECHO) {
                return CompletableFuture.completedStage(Reply.of(ECHO, request.header(), request.body()));
            }
            request.release();
            var reply = new CompletableFuture<Reply>();
            held.add(reply);
            return reply;
        }

        @Override
        public @Nullable WireException refusal(int type, ByteBuf header, int bodyBytes, Peer peer) {
            return bodyBytes <= MOST_BODY_BYTES
                    ? null
                    : new WireException(
                            WireCode.BUSY, "no room for %s of %d bytes".formatted(header.toString(UTF_8), bodyBytes));
        }

        @Override
        public void closed(Peer peer) {
            closed.add(peer);
        }
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
        transport.close();
    }

    @Test
    void answersForABodyThatItDoesNotTakeAndGoesOnBehindIt() {
        for (int bytes : new int[] {MOST_BODY_BYTES + 1, 100_000, Frame.MAX_BODY_BYTES}) {
            assertThat(echo("large", bytes))
                    .failsWithin(LONG)
                    .withThrowableThat()
                    .withMessageContaining("no room for large of " + bytes);
            assertThat(echo("small", MOST_BODY_BYTES).join()).isEqualTo(MOST_BODY_BYTES);
        }
        assertThat(closed).as("connections that ended").isEmpty();
    }

    @Test
    void saysWhyBeforeAnyOfTheBodyHasCome() throws IOException {
        try (var socket = connect()) {
            socket.getOutputStream().write(head(ECHO, "a block", Frame.MAX_BODY_BYTES));
            var in = new DataInputStream(socket.getInputStream());
            assertThat(new String(in.readNBytes(in.readInt()), UTF_8))
                    .contains("no room for a block of 16777216 bytes");
        }
    }

    @Test
    void closesAConnectionWhoseSenderStopsInTheMiddleOfAFrame() throws IOException {
        try (var socket = connect()) {
            awaitStandstill(socket);
        }
    }

    @Test
    void closesAConnectionWhoseSenderStoppedWhileItWasNotRead() throws IOException {
        try (var socket = connect()) {
            send(socket, whole(HOLD), head(ECHO, "", 100));
            await().until(() -> held.size() == 1);
            held.remove().complete(Reply.of(HOLD));
            awaitFrame(socket);
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void leavesAConnectionAloneWhileItDoesNotReadIt() {
        var channel = atATimeOfItsOwn();
        byte[] request = whole(HOLD);
        channel.writeInbound(Unpooled.copiedBuffer(request, 0, 8));
        channel.writeInbound(
                Unpooled.wrappedBuffer(Arrays.copyOfRange(request, 8, request.length), head(ECHO, "", 100)));
        standStill(channel, 5);
        assertThat(channel.isOpen()).as("open while it is not read").isTrue();
        held.remove().complete(Reply.of(HOLD));
        standStill(channel, 2);
        assertThat(channel.isOpen()).as("open when nothing more has come").isFalse();
        channel.finishAndReleaseAll();
    }

    @Test
    void waitsForTheRestOfAFrameAsLongAsItsSenderDoes() {
        int deadlineMillis = 450;
        var channel = atATimeOfItsOwn();
        channel.writeInbound(Unpooled.wrappedBuffer(head(ECHO, "", 100, deadlineMillis)));
        standStill(channel, 4);
        channel.writeInbound(Unpooled.wrappedBuffer(new byte[1]));
        standStill(channel, 5);
        assertThat(channel.isOpen()).as("open before the deadline").isTrue();
        standStill(channel, 1);
        assertThat(channel.isOpen()).as("open after it").isFalse();
        channel.finishAndReleaseAll();
    }

    @Test
    void waitsForTheRestOfAFrameForAMinuteAtMost() {
        var channel = atATimeOfItsOwn();
        channel.writeInbound(Unpooled.wrappedBuffer(head(ECHO, "", 100, Integer.MAX_VALUE)));
        standStill(channel, 599);
        assertThat(channel.isOpen()).as("open before the minute's end").isTrue();
        standStill(channel, 1);
        assertThat(channel.isOpen()).as("open after it").isFalse();
        channel.finishAndReleaseAll();
    }

    private EmbeddedChannel atATimeOfItsOwn() {
        var decoder = new FrameDecoder();
        var channel = new EmbeddedChannel(
                decoder,
                new FlowControlHandler(),
                new ServerConnection(new Peer(server.address()), decoder, new Picky(), new InFlight(), LIMITS));
        channel.freezeTime();
        return channel;
    }

    private static void standStill(EmbeddedChannel channel, int times) {
        for (int i = 0; i < times; i++) {
            channel.advanceTimeBy(LIMITS.maxStandstill().toMillis(), TimeUnit.MILLISECONDS);
            channel.runScheduledPendingTasks();
        }
    }

    @Test
    void saysWhenAConnectionHasEnded() throws IOException {
        int port;
        try (var socket = connect()) {
            port = socket.getLocalPort();
            socket.getOutputStream().write(head(ECHO, "", 100));
        }
        await().until(() -> closed.equals(List.of(new Peer(new NodeAddress("127.0.0.1", port)))));
    }

    @Test
    void saysWhatIsMissingOfAFrameThatComesInPieces() {
        List<Integer> missing = new ArrayList<>();
        var channel = new EmbeddedChannel(new FrameDecoder(new FrameGate() {
            @Override
            public @Nullable WireException refusal(int type, ByteBuf header, int bodyBytes) {
                return null;
            }

            @Override
            public void arriving(int bytes) {
                missing.add(bytes);
            }
        }));
        byte[] head = head(ECHO, "h", 100_000);
        channel.writeInbound(Unpooled.wrappedBuffer(head, 0, 10));
        assertThat(missing).as("while it isn't let in").isEmpty();
        channel.writeInbound(Unpooled.wrappedBuffer(head, 10, head.length - 10));
        channel.writeInbound(Unpooled.buffer(60_000).writeZero(60_000));
        assertThat(missing).containsExactly(100_004, 40_004);
        channel.finishAndReleaseAll();
    }

    @Test
    void keepsNothingOfARefusedBody() {
        var channel = new EmbeddedChannel(
                new FrameDecoder((type, header, bytes) -> new WireException(WireCode.BUSY, "no room")));
        channel.writeInbound(Unpooled.wrappedBuffer(head(ECHO, "h", Frame.MAX_BODY_BYTES)));
        var piece = Unpooled.buffer(100_000).writeZero(100_000);
        channel.writeInbound(piece);
        assertThat(piece.refCnt()).isZero();
        assertThat(((RefusedFrame) channel.readInbound()).requestId()).isEqualTo(7);
        assertThat(channel.inboundMessages()).isEmpty();
        channel.finishAndReleaseAll();
    }

    private static void awaitStandstill(Socket socket) throws IOException {
        socket.getOutputStream().write(head(ECHO, "", 100));
        assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }

    /** One write, so that the pieces arrive together. */
    private static void send(Socket socket, byte[]... pieces) throws IOException {
        socket.getOutputStream().write(ByteBufUtil.getBytes(Unpooled.wrappedBuffer(pieces)));
    }

    private static void awaitFrame(Socket socket) throws IOException {
        var in = new DataInputStream(socket.getInputStream());
        int length = in.readInt();
        assertThat(in.readNBytes(length)).hasSize(length);
    }

    private CompletableFuture<Integer> echo(String header, int bytes) {
        return client.call(
                        server.address(),
                        ECHO,
                        Unpooled.copiedBuffer(header, UTF_8),
                        Unpooled.directBuffer(bytes).writeZero(bytes),
                        LONG)
                .thenApply(reply -> {
                    int length = reply.body().readableBytes();
                    reply.release();
                    return length;
                });
    }

    /** A frame without header and body. */
    private static byte[] whole(int type) {
        var frame = Unpooled.buffer().writeBytes(head(type, "", 0));
        return ByteBufUtil.getBytes(frame.writeInt(Checksum.of(frame)));
    }

    /** Prelude and header of a frame with request id 7. */
    private static byte[] head(int type, String header, int bodyBytes) {
        return head(type, header, bodyBytes, 0);
    }

    private static byte[] head(int type, String header, int bodyBytes, int deadlineMillis) {
        byte[] text = header.getBytes(UTF_8);
        return ByteBufUtil.getBytes(Unpooled.buffer()
                .writeInt(WireFormat.MIN_LENGTH + text.length + bodyBytes)
                .writeShort(WireFormat.MAGIC)
                .writeByte(WireFormat.VERSION)
                .writeByte(type)
                .writeLong(7)
                .writeInt(deadlineMillis)
                .writeInt(text.length)
                .writeBytes(text));
    }

    private Socket connect() throws IOException {
        var socket =
                new Socket(InetAddress.getLoopbackAddress(), server.address().port());
        socket.setSoTimeout((int) LONG.toMillis());
        return socket;
    }
}
