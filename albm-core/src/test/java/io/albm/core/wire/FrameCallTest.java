// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.DefaultFileRegion;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Client and server over real sockets. */
class FrameCallTest {

    private static final NodeAddress ANY_PORT = new NodeAddress("127.0.0.1", 0);
    private static final Duration LONG = Duration.ofSeconds(20);
    private static final int ECHO = 0x10;
    private static final int HOLD = 0x11;
    private static final int FAIL = 0x12;
    private static final int BLOCK = 0x13;
    private static final int WHO = 0x14;
    private static final int FILE = 0xa1;

    private final Transport transport = Transport.open(2);
    private final FrameClient client = new FrameClient(transport, new FrameClientLimits(8, 64 << 20));
    private final Queue<CompletableFuture<Reply>> held = new ConcurrentLinkedQueue<>();
    private final FrameServer server = serve(ANY_PORT, new FrameServerLimits(4, 3));

    @AfterEach
    void close() {
        client.close();
        server.close();
        transport.close();
    }

    @Test
    void answersWithTheBytesThatWereSent() {
        var body = Unpooled.directBuffer().writeZero(Frame.MAX_BODY_BYTES - 5).writeBytes("tail!".getBytes(UTF_8));
        int checksum = Checksum.of(body);

        var reply =
                client.call(server.address(), ECHO, text("header"), body, LONG).join();

        assertThat(reply.type()).isEqualTo(ECHO);
        assertThat(reply.header().toString(UTF_8)).isEqualTo("header");
        assertThat(Checksum.of(reply.body())).isEqualTo(checksum);
        reply.release();
    }

    @Test
    void answersManyLargeBodiesOfAllSizesSideBySide() {
        var random = new Random(1);
        for (int round = 0; round < 10; round++) {
            var calls = new ArrayList<CompletableFuture<Frame>>();
            var checksums = new ArrayList<Integer>();
            for (int i = 0; i < 6; i++) {
                byte[] bytes = new byte[random.nextInt(1 << random.nextInt(8, 22))];
                random.nextBytes(bytes);
                checksums.add(Checksum.of(Unpooled.wrappedBuffer(bytes)));
                calls.add(client.call(server.address(), ECHO, text("h"), Unpooled.wrappedBuffer(bytes), LONG));
            }
            for (int i = 0; i < calls.size(); i++) {
                var reply = calls.get(i).join();
                assertThat(Checksum.of(reply.body())).isEqualTo(checksums.get(i));
                reply.release();
            }
        }
    }

    /** A frame leaves in pieces. What is answered because others have left must not come between them. */
    @Test
    void answersThatOthersWaitedForStayWhole() {
        try (Transport oneLoop = Transport.open(1);
                FrameClient oneConnection = new FrameClient(oneLoop)) {
            var large = new byte[30_000];
            for (int round = 0; round < 10; round++) {
                var calls = new ArrayList<CompletableFuture<Frame>>();
                for (int i = 0; i < 8; i++) {
                    int type = i < 3 ? HOLD : ECHO;
                    calls.add(oneConnection.call(server.address(), type, text("h"), text("b"), LONG));
                }
                await().until(() -> held.size() == 3);
                for (int i = 0; i < 3; i++) {
                    held.remove().complete(Reply.of(HOLD, text("h"), Unpooled.wrappedBuffer(large)));
                }
                for (int i = 0; i < 8; i++) {
                    var reply = calls.get(i).join();
                    assertThat(reply.body().readableBytes())
                            .as("round %d", round)
                            .isEqualTo(i < 3 ? large.length : 1);
                    reply.release();
                }
            }
        }
    }

    @Test
    void answersWithPartOfAFile(@TempDir Path dir) throws IOException {
        byte[] bytes = new byte[3 << 20];
        new Random(2).nextBytes(bytes);
        var file = Files.write(dir.resolve("file"), bytes);

        for (int length : new int[] {1, 2_000_000, bytes.length - 7}) {
            var part = new DefaultFileRegion(FileChannel.open(file), 7, length);
            var call = client.call(server.address(), HOLD, text(""), Unpooled.EMPTY_BUFFER, LONG);
            await().until(() -> held.size() == 1);
            held.remove().complete(Reply.of(FILE, text("header"), part));
            var reply = call.join();
            assertThat(reply.header().toString(UTF_8)).isEqualTo("header");
            assertThat(reply.body()).isEqualTo(Unpooled.wrappedBuffer(bytes, 7, length));
            reply.release();
            await().until(() -> part.refCnt() == 0);
        }
    }

    @Test
    void takesAFileOnlyWhereItsBytesHaveChecksumsOfTheirOwn(@TempDir Path dir) throws IOException {
        var file = Files.write(dir.resolve("file"), new byte[10]);
        var part = new DefaultFileRegion(FileChannel.open(file), 0, 10);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Reply.of(HOLD, Unpooled.EMPTY_BUFFER, part))
                .withMessageContaining("expected bytes in memory");
        part.release();
    }

    @Test
    void answersCallsInAnyOrder() {
        var first = call(HOLD, "first");
        await().until(() -> held.size() == 1);
        var second = call(ECHO, "second");

        assertThat(second.join()).isEqualTo("second");
        assertThat(first).isNotDone();
        held.remove().complete(Reply.of(HOLD, text("released")));
        assertThat(first.join()).isEqualTo("released");
    }

    @Test
    void copiesBulkBytesOnAllLoopsWhoeverAsks() {
        var here = new ArrayList<CompletableFuture<Frame>>();
        var anywhere = new ArrayList<CompletableFuture<Frame>>();
        onOneLoop(() -> {
            for (int i = 0; i < 4; i++) {
                here.add(client.call(server.address(), WHO, text(""), Unpooled.EMPTY_BUFFER, LONG));
                anywhere.add(client.callOnNextLoop(server.address(), WHO, text(""), Unpooled.EMPTY_BUFFER, LONG));
            }
        });

        assertThat(headers(here)).hasSize(1);
        assertThat(headers(anywhere)).hasSize(2);
    }

    @Test
    void sendsBodiesToAnAddressThatHasARateOverAConnectionOfTheirOwn() {
        client.pace(server.address(), 1 << 30);
        var paced = headers(callsOnAllLoops("a body"));
        assertThat(paced).hasSize(1);
        assertThat(headers(callsOnAllLoops(""))).hasSize(2).doesNotContainAnyElementsOf(paced);
        client.pace(server.address(), 0);
        assertThat(headers(callsOnAllLoops("a body"))).hasSize(2).doesNotContainAnyElementsOf(paced);
    }

    private List<CompletableFuture<Frame>> callsOnAllLoops(String body) {
        return IntStream.range(0, 4)
                .mapToObj(i -> client.callOnNextLoop(server.address(), WHO, text(""), text(body), LONG))
                .toList();
    }

    private static Set<String> headers(List<CompletableFuture<Frame>> calls) {
        var headers = new HashSet<String>();
        for (var call : calls) {
            var reply = call.join();
            headers.add(reply.header().toString(UTF_8));
            reply.release();
        }
        return headers;
    }

    @Test
    void saysWhenAnAnswerHasLeftOrNeverWill() {
        var left = new AtomicInteger();
        var answered = call(HOLD, "");
        await().until(() -> held.size() == 1);
        held.remove().complete(Reply.of(HOLD).whenSent(left::incrementAndGet));
        answered.join();
        await().until(() -> left.get() == 1);

        var lost = call(HOLD, "");
        await().until(() -> held.size() == 1);
        client.close();
        assertThat(failure(lost).code()).isEqualTo(WireCode.UNAVAILABLE);
        held.remove().complete(Reply.of(HOLD).whenSent(left::incrementAndGet));
        await().until(() -> left.get() == 2);
    }

    @Test
    void doesBlockingWorkOffTheEventLoop() {
        assertThat(call(BLOCK, "").join()).isEqualTo("virtual");
    }

    @Test
    void stopsReadingAConnectionAtItsBoundAndGoesOnBelowIt() {
        var calls = new ArrayList<CompletableFuture<String>>();
        onOneLoop(() -> {
            for (int i = 0; i < 8; i++) {
                calls.add(call(HOLD, "call " + i));
            }
        });
        await().until(() -> held.size() == 3);
        assertThat(server.inFlight()).isEqualTo(3);

        for (int done = 0; done < 8; done++) {
            await().until(() -> !held.isEmpty());
            assertThat(held).hasSizeLessThanOrEqualTo(3);
            held.remove().complete(Reply.of(HOLD));
        }
        calls.forEach(CompletableFuture::join);
    }

    @Test
    void refusesACallBeyondThePendingBoundAtOnce() {
        onOneLoop(() -> {
            for (int i = 0; i < 8; i++) {
                call(HOLD, "");
            }
            assertThat(failure(call(ECHO, "one too many")).code()).isEqualTo(WireCode.BUSY);
        });
    }

    @Test
    void failsACallWhenItsDeadlineHasPassed() {
        var answer = client.call(server.address(), HOLD, text(""), Unpooled.EMPTY_BUFFER, Duration.ofMillis(30));

        assertThat(failure(answer)).hasMessageContaining("no answer within 30 ms");
        assertThat(failure(answer).code()).isEqualTo(WireCode.DEADLINE_EXCEEDED);
        held.forEach(reply -> reply.complete(Reply.of(HOLD, text("too late"))));
        assertThat(call(ECHO, "next").join()).isEqualTo("next");
    }

    @Test
    void leavesAPathThatHasGoneSilent() throws IOException {
        try (var silent = new ServerSocket(0, 1)) {
            var to = new NodeAddress("127.0.0.1", silent.getLocalPort());
            onOneLoop(() -> {
                var answer = client.call(to, ECHO, text(""), Unpooled.EMPTY_BUFFER, Duration.ofMillis(30));
                answer.whenComplete((_, _) -> {
                    var next = client.call(to, ECHO, text(""), Unpooled.EMPTY_BUFFER, Duration.ofMillis(30));
                    assertThat(next).isNotNull();
                });
            });
            try (var first = silent.accept();
                    var second = silent.accept()) {
                assertThat(first.getPort()).isNotEqualTo(second.getPort());
            }
        }
    }

    @Test
    void reportsTheHandlersErrorAndKeepsTheConnection() {
        assertThat(failure(call(FAIL, "no space"))).hasMessage("no space");
        assertThat(failure(call(FAIL, "no space")).code()).isEqualTo(WireCode.NO_SPACE);
        assertThat(call(ECHO, "still here").join()).isEqualTo("still here");
    }

    @Test
    void closesBehindAnUnknownTypeAndConnectsAgain() {
        assertThat(failure(call(0xEE, "")).code()).isEqualTo(WireCode.UNKNOWN_TYPE);
        assertThat(call(ECHO, "again").join()).isEqualTo("again");
    }

    @Test
    void failsWhatIsPendingWhenThePeerDiesAndConnectsToItsSuccessor() {
        var pending = call(HOLD, "");
        await().until(() -> held.size() == 1);
        var address = server.address();
        server.close();
        assertThat(failure(pending).code()).isEqualTo(WireCode.UNAVAILABLE);

        try (var successor = serve(address, FrameServerLimits.DEFAULT)) {
            await().ignoreExceptions()
                    .untilAsserted(() -> client.ping(address, LONG).join());
            await().until(() -> successor.inFlight() == 0);
        }
    }

    @Test
    void namesANodeThatCannotBeReached() throws IOException {
        NodeAddress nobody;
        try (var socket = new ServerSocket(0)) {
            nobody = new NodeAddress("127.0.0.1", socket.getLocalPort());
        }
        var answer = client.call(nobody, ECHO, text(""), Unpooled.EMPTY_BUFFER, LONG);

        assertThat(failure(answer).code()).isEqualTo(WireCode.UNAVAILABLE);
        assertThat(failure(answer)).hasMessageContaining(nobody.toString());
    }

    @Test
    void takesAStrangerOnANodesPortForALostNode() throws IOException {
        try (var stranger = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var address = new NodeAddress("127.0.0.1", stranger.getLocalPort());
            var answer = client.call(address, ECHO, text(""), Unpooled.EMPTY_BUFFER, LONG);
            try (var connection = stranger.accept()) {
                connection.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(UTF_8));

                assertThat(failure(answer).code()).isEqualTo(WireCode.UNAVAILABLE);
                assertThat(failure(answer))
                        .hasMessageContaining(address.toString())
                        .hasMessageContaining("no ALBM node");
            }
        }
    }

    @Test
    void doesNotTakeItselfForANode() throws IOException {
        NodeAddress nobody;
        try (var socket = new ServerSocket(0)) {
            // Linux gives listeners and connections ports of different parity as long as it can.
            nobody = new NodeAddress("127.0.0.1", socket.getLocalPort() ^ 1);
        }
        WireException last = reached(nobody);
        for (int i = 0; i < 65536 && !String.valueOf(last.getMessage()).contains("reached itself"); i++) {
            last = reached(nobody);
        }
        assertThat(last).hasMessageContaining("nobody listens there, the connection reached itself");
        assertThat(last.code()).isEqualTo(WireCode.UNAVAILABLE);
    }

    private WireException reached(NodeAddress nobody) {
        try (var fresh = new FrameClient(transport)) {
            return failure(fresh.call(nobody, ECHO, text(""), Unpooled.EMPTY_BUFFER, LONG));
        }
    }

    @Test
    void drainsWhatItTookAndRefusesMore() {
        var taken = call(HOLD, "");
        await().until(() -> held.size() == 1);

        var drained = server.drain();

        assertThat(drained).isNotDone();
        held.remove().complete(Reply.of(HOLD, text("done")));
        assertThat(taken.join()).isEqualTo("done");
        drained.join();
    }

    @Test
    void tellsAStrangerInAnErrorFrameThenCloses() throws IOException {
        assertThat(talk("GET / HTTP/1.1\r\nHost: albm\r\n\r\n".getBytes(UTF_8)))
                .contains("these bytes are not ALBM frames");
    }

    @Test
    void tellsASenderOfAHostileLengthThenCloses() throws IOException {
        var hostile = HexFormat.of()
                .parseHex("7fffffff" + "414c" + "01" + "10" + "0000000000000009" + "00000000" + "00000000");

        assertThat(talk(hostile)).contains("at most 65536 and 16777216 are allowed");
    }

    @Test
    void turnsAwayAConnectionBeyondItsBound() throws IOException {
        var sockets = new ArrayList<Socket>();
        for (int i = 0; i < 4; i++) {
            sockets.add(connect());
            ping(sockets.getLast());
        }
        try (var fifth = connect()) {
            assertThat(new String(fifth.getInputStream().readAllBytes(), UTF_8)).contains("more than 4 connections");
        }
        for (var socket : sockets) {
            socket.close();
        }
    }

    @Test
    void namesThePortThatIsTaken() {
        var second = FrameServer.bind(transport, server.address(), this::handle);

        assertThat(second).failsWithin(LONG).withThrowableThat().withMessageContaining("in use");
    }

    private CompletionStage<Reply> handle(Frame request, Peer peer) {
        return switch (request.type()) {
            case ECHO -> CompletableFuture.completedFuture(Reply.of(ECHO, request.header(), request.body()));
            case HOLD -> hold(request);
            case FAIL -> fail(request);
            case WHO -> {
                request.release();
                yield CompletableFuture.completedStage(
                        Reply.of(WHO, text(peer.address().toString())));
            }
            case BLOCK -> CompletableFuture.supplyAsync(() -> whereAmI(request), transport.blocking());
            default -> {
                request.release();
                yield CompletableFuture.failedFuture(WireException.unknownType(request));
            }
        };
    }

    private CompletionStage<Reply> hold(Frame request) {
        request.release();
        var reply = new CompletableFuture<Reply>();
        held.add(reply);
        return reply;
    }

    private static CompletionStage<Reply> fail(Frame request) {
        var message = request.header().toString(UTF_8);
        request.release();
        throw new WireException(WireCode.NO_SPACE, message);
    }

    private static Reply whereAmI(Frame request) {
        request.release();
        return Reply.of(BLOCK, text(Thread.currentThread().isVirtual() ? "virtual" : "platform"));
    }

    private CompletableFuture<String> call(int type, String header) {
        return client.call(server.address(), type, text(header), Unpooled.EMPTY_BUFFER, LONG)
                .thenApply(reply -> {
                    try {
                        return reply.header().toString(UTF_8);
                    } finally {
                        reply.release();
                    }
                });
    }

    private void onOneLoop(Runnable calls) {
        transport.eventLoops().next().submit(calls).syncUninterruptibly();
    }

    private FrameServer serve(NodeAddress address, FrameServerLimits limits) {
        return FrameServer.bind(transport, address, this::handle, limits).join();
    }

    private static WireException failure(CompletableFuture<?> answer) {
        var error = catchThrowableOfType(CompletionException.class, answer::join);
        return (WireException) Objects.requireNonNull(error.getCause());
    }

    private static ByteBuf text(String text) {
        return ByteBufUtil.writeUtf8(io.netty.buffer.ByteBufAllocator.DEFAULT, text);
    }

    private String talk(byte[] bytes) throws IOException {
        try (var socket = connect()) {
            socket.getOutputStream().write(bytes);
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    private Socket connect() throws IOException {
        var socket =
                new Socket(InetAddress.getLoopbackAddress(), server.address().port());
        socket.setSoTimeout((int) LONG.toMillis());
        return socket;
    }

    private static void ping(Socket socket) throws IOException {
        socket.getOutputStream()
                .write(HexFormat.of().parseHex("00000018414c01010000000000000001000007d000000000" + PING_CHECKSUM));
        InputStream in = socket.getInputStream();
        assertThat(in.readNBytes(28)).hasSize(28);
    }

    private static final String PING_CHECKSUM = "e641879b";
}
