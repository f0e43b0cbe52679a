// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.wire.Frame;
import io.albm.core.wire.FrameClient;
import io.albm.core.wire.FrameServer;
import io.albm.core.wire.FrameServerLimits;
import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import io.albm.storage.BlockHeader;
import io.albm.storage.BlockId;
import io.albm.storage.Credit;
import io.albm.storage.Fence;
import io.albm.storage.Generation;
import io.albm.storage.Sender;
import io.albm.storage.StorageException;
import io.albm.storage.StorageReply;
import io.albm.storage.StorageRequest;
import io.albm.storage.WireBlockClient;
import io.albm.storage.WriteMode;
import io.albm.storage.WriteRate;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Senders of all kinds at one node with little memory, over real sockets. Credit ends only when the test moves its clock. */
class CreditServiceTest {
    private static final NodeId NODE = new NodeId("n-1");
    private static final int MIB = 1 << 20;
    private static final int MEMORY = 16 * MIB;
    private static final int CLIENTS = 200;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Of an empty frame, without the length field itself. */
    private static final int FRAME_BYTES = 24;

    private static final Duration LONG = Duration.ofSeconds(60);

    @TempDir
    Path dir;

    private final Transport transport = Transport.open(2);
    private final EventLoop firstLoop = transport.eventLoops().next();
    private final List<FrameClient> clients = new ArrayList<>();
    private final AtomicLong clock = new AtomicLong();
    private final CreditCounters counters = new CreditCounters();
    private final ByteBuf body = Unpooled.directBuffer(MIB).writeBytes(StorageRig.content(MIB, 1));
    private final AtomicInteger blocks = new AtomicInteger();
    private GatedDisk disk;
    private BlockStore store;
    private CreditService credits;
    private FrameServer server;

    /** Writes a block only when the gate lets it, and looks at the memory then. */
    private final class GatedDisk extends ForwardingDisk {
        private final Semaphore gate = new Semaphore(0);
        private final AtomicInteger writing = new AtomicInteger();
        private final AtomicLong mostOut = new AtomicLong();
        private final AtomicLong mostDirect = new AtomicLong();

        GatedDisk() throws IOException {
            super(new LocalDisk(dir.resolve("disk")));
        }

        @Override
        public Written write(String name, ByteBuf head, ByteBuf content) throws IOException {
            writing.incrementAndGet();
            mostOut.accumulateAndGet(credits.status().out(), Math::max);
            mostDirect.accumulateAndGet(directMemory(), Math::max);
            gate.acquireUninterruptibly();
            return super.write(name, head, content);
        }

        void open() {
            gate.release(1_000_000);
        }
    }

    private static long directMemory() {
        return PooledByteBufAllocator.DEFAULT.metric().usedDirectMemory();
    }

    @BeforeEach
    void start() throws IOException {
        disk = new GatedDisk();
        store = new BlockStore(disk, 1L << 40, 0, Runnable::run);
        serve(0, PATIENCE);
    }

    private void serve(int port, Duration standstill) {
        credits = new CreditService(new CreditDesk(MEMORY, counters), clock::get, transport.eventLoops());
        server = FrameServer.bind(
                        transport,
                        new NodeAddress("127.0.0.1", port),
                        new BlockService(
                                store, credits, new BackgroundTurns(), transport.blocking(), transport.allocator()),
                        new FrameServerLimits(2 * CLIENTS + 16, 8, standstill))
                .join();
    }

    @AfterEach
    void close() {
        disk.open();
        server.drain().join();
        clients.forEach(FrameClient::close);
        server.close();
        transport.close();
        body.release();
    }

    private FrameClient frames() {
        FrameClient frames = new FrameClient(transport);
        clients.add(frames);
        return frames;
    }

    private WireBlockClient client(Duration deadline) {
        return new WireBlockClient(frames(), node -> Optional.of(server.address()), deadline);
    }

    private WireBlockClient client() {
        return client(LONG);
    }

    private BlockHeader block() {
        return BlockHeader.of(new BlockId(new Generation(1, 1), blocks.getAndIncrement(), 0), body);
    }

    private CompletableFuture<Void> write(WireBlockClient client) {
        return client.write(NODE, block(), WriteMode.NEW, null, body.retainedDuplicate());
    }

    private List<CompletableFuture<Void>> writeByAll() {
        List<CompletableFuture<Void>> writes = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            WireBlockClient client = client();
            writes.add(write(client));
            writes.add(write(client));
        }
        return writes;
    }

    /** Asks as a client does, but sends only what the test sends. */
    private FrameClient holdsCredit(Sender sender, int bytes) {
        FrameClient frames = frames();
        ask(frames, sender, bytes).join().release();
        return frames;
    }

    private CompletableFuture<Frame> ask(FrameClient frames, Sender sender, int bytes) {
        return call(frames, new StorageRequest.Ask(sender, bytes, bytes), Unpooled.EMPTY_BUFFER);
    }

    private CompletableFuture<Frame> call(FrameClient frames, StorageRequest request, ByteBuf content) {
        ByteBuf header = Unpooled.buffer();
        request.write(header);
        return frames.call(server.address(), request.type(), header, content, LONG);
    }

    private CompletableFuture<Frame> writeAs(Sender sender, FrameClient frames) {
        return call(frames, new StorageRequest.Write(sender, block(), WriteMode.NEW, null), body.retainedDuplicate());
    }

    private static Throwable failure(CompletableFuture<?> call) {
        Throwable failure = catchThrowable(call::join);
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    @Test
    void writesWhatHundredsOfConnectionsSendAtOnceWithinItsMemory() throws IOException {
        long before = directMemory();
        disk.open();
        writeByAll().forEach(CompletableFuture::join);
        for (int i = 0; i < blocks.get(); i++) {
            store.verify(new BlockId(new Generation(1, 1), i, 0));
        }
        assertThat(disk.mostOut.get()).isBetween(1L, (long) MEMORY);
        assertThat(disk.mostDirect.get() - before)
                .as("direct memory, in which a block and its frame take up to twice as much")
                .isLessThanOrEqualTo(3L * MEMORY);
        await().until(() -> credits.status().out() == credits.status().unused());
    }

    @Test
    void keepsBlocksAtTheirClientsWhileItsDiskStandsStill() {
        List<CompletableFuture<Void>> writes = writeByAll();
        await().until(() -> credits.status().out() == MEMORY && credits.status().unused() == 0);
        await().until(() -> credits.status().waiting() >= CLIENTS - MEMORY / MIB);
        assertThat(writes).noneMatch(CompletableFuture::isDone);
        disk.open();
        writes.forEach(CompletableFuture::join);
        assertThat(disk.mostOut.get()).isLessThanOrEqualTo(MEMORY);
    }

    @Test
    void grantsToOthersWhatADeadSenderHad() {
        disk.open();
        FrameClient dying = holdsCredit(new Sender(1, false), MEMORY);
        CompletableFuture<Void> other = write(client());
        await().until(() -> credits.status().waiting() == 1);
        dying.close();
        other.join();
    }

    @Test
    void grantsToOthersWhatAStoppedSenderDidNotUseInTime() {
        disk.open();
        Sender stopped = new Sender(1, false);
        FrameClient frames = holdsCredit(stopped, MEMORY);
        CompletableFuture<Void> other = write(client());
        await().until(() -> credits.status().waiting() == 1);
        clock.addAndGet(Credit.NODE_NANOS);
        other.join();
        assertThat(counters.expired().sum()).isEqualTo(MEMORY);
        holdsCredit(new Sender(2, false), MIB * 4);
        assertThat(failure(writeAs(stopped, frames)))
                .as("what it sends when it goes on")
                .hasMessageContaining("no credit for a block of 1048576 bytes");
    }

    @Test
    void grantsToOthersWhatASenderHadThatStoppedInTheMiddleOfABlock() throws IOException {
        disk.open();
        server.drain().join();
        serve(0, Duration.ofMillis(200));
        Sender stopped = new Sender(1, false);
        holdsCredit(stopped, MEMORY);
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.address().port())) {
            socket.getOutputStream().write(beginningOfABlock(stopped, MEMORY));
            await().until(() -> credits.status().unused() == 0);
            write(client()).join();
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    private static byte[] beginningOfABlock(Sender sender, int bytes) {
        BlockHeader block =
                BlockHeader.of(new BlockId(new Generation(2, 2), 0, 0), Unpooled.wrappedBuffer(new byte[bytes]));
        StorageRequest request = new StorageRequest.Write(sender, block, WriteMode.NEW, null);
        ByteBuf header = Unpooled.buffer();
        request.write(header);
        return ByteBufUtil.getBytes(Unpooled.buffer()
                .writeInt(FRAME_BYTES + header.readableBytes() + bytes)
                .writeShort(0x414C)
                .writeByte(1)
                .writeByte(request.type())
                .writeLong(1)
                .writeInt(0)
                .writeInt(header.readableBytes())
                .writeBytes(header)
                .writeZero(1000));
    }

    @Test
    void grantsTheNextBlockToWhoSendsAtARateWhileTheLastBytesOfTheOneBeforeAreOnTheirWay() throws IOException {
        Sender sender = new Sender(1, false);
        WriteRate rate = new WriteRate(MIB, 1, 0, Duration.ofSeconds(60));
        credits.pace(rate);
        CompletableFuture<Void> next = askUntilGranted(holdsCredit(sender, MIB), sender);
        await().until(() -> credits.status().waiting() == 1);
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.address().port())) {
            socket.getOutputStream().write(beginningOfABlock(sender, MIB));
            await().until(() -> credits.status().unused() == 0);
            clock.addAndGet(Duration.ofSeconds(1).toNanos());
            credits.pace(rate);
            assertThat(credits.status().unused())
                    .as("most of its block is still to come")
                    .isZero();
            socket.getOutputStream().write(new byte[MIB - 10_000]);
            next.join();
            assertThat(credits.status().out())
                    .as("the first block is not there yet")
                    .isEqualTo(2L * MIB);
        }
    }

    private CompletableFuture<Void> askUntilGranted(FrameClient frames, Sender sender) {
        return ask(frames, sender, MIB).thenCompose(answer -> {
            try {
                return ((StorageReply.Granted) StorageReply.read(answer)).bytes() > 0
                        ? CompletableFuture.completedFuture(null)
                        : askUntilGranted(frames, sender);
            } finally {
                answer.release();
            }
        });
    }

    @Test
    void letsAQuarterOfItsMemoryInWithoutCreditAndAnswersForTheRest() {
        Sender rude = new Sender(1, false);
        FrameClient frames = frames();
        List<CompletableFuture<Frame>> writes = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            writes.add(writeAs(rude, frames));
        }
        await().until(() -> disk.writing.get() == 4);
        for (int i = 0; i < 20; i++) {
            assertThat(failure(writeAs(rude, frames)))
                    .isInstanceOfSatisfying(
                            WireException.class,
                            refusal -> assertThat(refusal.code()).isEqualTo(WireCode.BUSY));
        }
        assertThat(counters.refused().sum()).isEqualTo(20);
        assertThat(credits.status().out()).isEqualTo(4 * MIB);
        CompletableFuture<Void> polite = write(client());
        disk.open();
        polite.join();
        writes.forEach(write -> write.join().release());
    }

    @Test
    void speaksWithABoundedNumberOfSendersOverAConnectionAndForgetsTheIdle() {
        FrameClient frames = frames();
        for (int id = 0; id < CreditService.MOST_SENDERS; id++) {
            Sender sender = new Sender(id, false);
            onOneLoop(() -> ask(frames, sender, 1)).join().release();
        }
        Sender oneMore = new Sender(1000, false);
        assertThat(failure(onOneLoop(() -> ask(frames, oneMore, 1))))
                .hasMessage("more than 256 senders on one connection");
        clock.addAndGet(Credit.NODE_NANOS);
        onOneLoop(() -> ask(frames, oneMore, 1)).join().release();
    }

    /** Calls that are made on a loop stay on its connection. */
    private <T> T onOneLoop(Callable<T> calls) {
        return firstLoop.submit(calls).syncUninterruptibly().getNow();
    }

    @Test
    void takesNoBodyThatIsNoBlock() {
        Throwable failure = failure(call(frames(), new StorageRequest.Space(), body.retainedDuplicate()));
        assertThat(failure).hasMessageContaining("a body of 1048576 bytes in a frame of type 16");
    }

    @Test
    void isSentABlockAgainAfterItHasStartedAnewAndKnowsNothingOfOldCredit() {
        disk.open();
        WireBlockClient client = client();
        write(client).join();
        assertThat(credits.status().unused()).as("granted ahead").isEqualTo(MIB);
        int port = server.address().port();
        server.close();
        serve(port, PATIENCE);
        holdsCredit(new Sender(1, false), 8 * MIB);
        await().ignoreExceptions().until(() -> {
            client.space(NODE).join();
            return true;
        });
        write(client).join();
        assertThat(counters.refused().sum()).isEqualTo(1);
    }

    @Test
    void isGivenUpLikeADeadNodeWhenItsDiskHasStoodStillForLong() {
        for (int i = 0; i < MEMORY / MIB; i++) {
            assertThat(write(client())).isNotDone();
        }
        await().until(() -> credits.status().out() == MEMORY && credits.status().unused() == 0);
        CompletableFuture<Void> waiting = write(client(Duration.ofSeconds(5)));
        await().until(() -> credits.status().waiting() == 1);
        clock.addAndGet(Duration.ofSeconds(4).toNanos());
        assertThat(waiting).isNotDone();
        clock.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(failure(waiting))
                .isInstanceOf(StorageException.NodeUnreachable.class)
                .hasMessageContaining("it has written nothing for 5000 ms");
    }

    @Test
    void isGivenUpWithinTheDeadlineWhenItDoesNotAnswer() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            WireBlockClient client = new WireBlockClient(
                    frames(),
                    node -> Optional.of(new NodeAddress("127.0.0.1", silent.getLocalPort())),
                    Duration.ofMillis(100));
            assertThat(failure(write(client))).isInstanceOf(StorageException.NodeUnreachable.class);
        }
    }

    @Test
    void grantsAtTheRateThatTheNewestCoordinatorSetsUntilItIsOver() {
        disk.open();
        WireBlockClient client = client();
        WriteRate rate = new WriteRate(1, 1, 0, Duration.ofSeconds(10));
        client.pace(NODE, rate, new Fence("coordinator", 2)).join();
        WriteRate older = new WriteRate(0, 1, 0, Duration.ofSeconds(10));
        assertThat(failure(client.pace(NODE, older, new Fence("coordinator", 1))))
                .isInstanceOf(StorageException.Fenced.class);
        assertThat(credits.status().bytesPerSecond()).isEqualTo(1);
        write(client()).join();
        CompletableFuture<Void> waiting = write(client());
        await().until(() -> credits.status().waiting() == 1);
        clock.addAndGet(rate.lasts().toNanos());
        waiting.join();
        assertThat(credits.status().bytesPerSecond()).isZero();
    }
}
