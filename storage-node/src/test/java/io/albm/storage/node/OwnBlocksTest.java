// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static io.albm.storage.node.StorageRig.UNIT;
import static io.albm.storage.node.StorageRig.content;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.core.node.NodeId;
import io.albm.storage.BlockClient;
import io.albm.storage.BlockHeader;
import io.albm.storage.BlockId;
import io.albm.storage.BlockPart;
import io.albm.storage.ForwardingBlocks;
import io.albm.storage.Generation;
import io.albm.storage.PutMode;
import io.albm.storage.ScrubReport;
import io.albm.storage.StorageException;
import io.albm.storage.StripedStore;
import io.albm.storage.WriteMode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A node that has lost its disk makes its blocks again, with the others over real sockets. */
class OwnBlocksTest {
    private static final String REPLACED = "n-2";
    private static final NodeId SELF = new NodeId(REPLACED);
    private static final byte[] CONTENT = content(160 * UNIT, 1);
    private static final long AMPLE = 1L << 32;

    @TempDir
    Path dir;

    private final AtomicInteger sentToItself = new AtomicInteger();
    private StorageRig rig;
    private int blocks;

    @BeforeEach
    void loseADisk() throws IOException {
        rig = StorageRig.start(dir, 5);
        rig.store().writeBytes("/f", CONTENT, PutMode.CREATE);
        blocks = rig.blockFiles(REPLACED).size();
        rig.stopNode(REPLACED);
        rig.wipeDisk(REPLACED);
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    @Test
    void makesItsBlocksAgainWithoutSendingThemToItself() throws IOException {
        ScrubReport report = scrub(start(AMPLE));
        assertThat(report.missing()).isEqualTo(blocks);
        assertThat(report.repaired()).isEqualTo(blocks);
        assertThat(sentToItself).hasValue(0);
        rig.stopNode("n-4");
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        rig.store().readFile("/f", read);
        assertThat(read.toByteArray()).isEqualTo(CONTENT);
    }

    @Test
    void makesABlockAgainThatHasRotted() throws IOException {
        BlockStore store = start(AMPLE);
        scrub(store);
        Path rotten = rig.blockFiles(REPLACED).getFirst();
        byte[] bytes = Files.readAllBytes(rotten);
        byte[] spoilt = bytes.clone();
        spoilt[spoilt.length / 2] ^= 1;
        Files.write(rotten, spoilt);
        ScrubReport report = scrub(store);
        assertThat(report.corrupt()).isOne();
        assertThat(report.missing()).isZero();
        assertThat(rotten).hasBinaryContent(bytes);
    }

    @Test
    void saysThatItsDiskIsFull() throws IOException {
        ScrubReport report = scrub(start(3 * UNIT));
        assertThat(report.repaired()).isBetween(1L, 3L);
        assertThat(report.failures())
                .isNotEmpty()
                .allSatisfy(failure -> assertThat(failure.toString()).contains("storage node n-2 is full"));
    }

    @Test
    void waitsForADiskThatIsStuckNoLongerThanItsBoundAndKeepsTheBodyForAsLongAsItIs() throws IOException {
        CountDownLatch release = new CountDownLatch(1);
        BlockStore store = new BlockStore(new StuckDisk(dir.resolve("stuck"), release), AMPLE, 0, Runnable::run);
        OwnBlocks own = new OwnBlocks(rig.blocks(), SELF, store, new BackgroundTurns(), Duration.ofMillis(50));
        ByteBuf body = Unpooled.copiedBuffer(content(1000, 1));
        BlockHeader header = BlockHeader.of(new BlockId(new Generation(1, 1), 0, 0), body);
        CompletableFuture<Void> write = own.write(SELF, header, WriteMode.REPAIR, null, body);
        assertThatThrownBy(write::join)
                .hasCauseInstanceOf(StorageException.NodeSlow.class)
                .hasMessageContaining("n-2 has not answered for 50 ms");
        assertThat(body.refCnt()).isOne();
        release.countDown();
        Awaitility.await().until(() -> body.refCnt() == 0);
        assertThat(store.verify(header.id())).isEqualTo(header);
    }

    @Test
    void goesOnWithWhatCameFromOthersInATurn() throws IOException {
        CompletableFuture<Void> release = new CompletableFuture<>();
        BackgroundTurns turns = new BackgroundTurns();
        CompletableFuture<?> taken = take(turns, BackgroundShare.IDLE_TURNS, release);
        BlockPart part = part();
        CompletableFuture<BlockPart> read = read(turns, part);
        assertThat(read).as("while others have all turns").isNotDone();
        release.complete(null);
        assertThat(read.join()).isSameAs(part);
        taken.join();
        assertThat(read(turns, part)).as("while nobody has one").isCompletedWithValue(part);
        part.body().release();
    }

    @Test
    void givesUpWhatCameFromOthersIfTooMuchWaits() throws IOException {
        CompletableFuture<Void> release = new CompletableFuture<>();
        BackgroundTurns turns = new BackgroundTurns();
        CompletableFuture<?> taken = take(turns, BackgroundShare.IDLE_TURNS + BackgroundTurns.WAITING, release);
        BlockPart part = part();
        assertThatThrownBy(read(turns, part)::join)
                .hasRootCauseInstanceOf(StorageException.NodeFailed.class)
                .hasMessageContaining("too many requests wait");
        assertThat(part.body().refCnt()).isZero();
        release.complete(null);
        taken.join();
    }

    /** Has so many turns taken, or waited for, until released. */
    private static CompletableFuture<?> take(BackgroundTurns turns, int count, CompletableFuture<Void> release) {
        CountDownLatch begun = new CountDownLatch(BackgroundShare.IDLE_TURNS);
        CompletableFuture<?> taken = CompletableFuture.allOf(IntStream.range(0, count)
                .mapToObj(i -> turns.run(() -> {
                    begun.countDown();
                    return release.join();
                }))
                .toArray(CompletableFuture<?>[]::new));
        Awaitility.await().until(() -> begun.getCount() == 0);
        return taken;
    }

    private static BlockPart part() {
        BlockHeader header =
                BlockHeader.of(new BlockId(new Generation(1, 1), 0, 0), Unpooled.copiedBuffer(content(1000, 1)));
        return new BlockPart(header.part(0, 1000), Unpooled.copiedBuffer(content(1000, 1)));
    }

    private CompletableFuture<BlockPart> read(BackgroundTurns turns, BlockPart part) throws IOException {
        BlockStore store = new BlockStore(new LocalDisk(rig.disk(REPLACED)), AMPLE, 0, Runnable::run);
        return new OwnBlocks(new HasCome(rig.blocks(), part), SELF, store, turns, Duration.ofSeconds(10))
                .read(new NodeId("n-1"), part.header().id(), 0, 1000);
    }

    private BlockStore start(long capacity) throws IOException {
        BlockStore store = new BlockStore(new LocalDisk(rig.disk(REPLACED)), capacity, 0, Runnable::run);
        rig.startNode(REPLACED, store);
        return store;
    }

    private ScrubReport scrub(BlockStore store) throws IOException {
        BackgroundTurns turns = new BackgroundTurns();
        StripedStore striped = rig.store(
                StorageRig.SETTINGS,
                nodes -> new OwnBlocks(
                        new DisturbedBlocks(nodes, (node, header) -> sentToItself.incrementAndGet()),
                        SELF,
                        store,
                        turns,
                        StorageRig.SETTINGS.deadline()));
        return striped.scrub(Set.of(SELF), progress -> {});
    }

    /** Nodes that have answered each read already. */
    private record HasCome(BlockClient to, BlockPart part) implements ForwardingBlocks {
        @Override
        public HasCome over(BlockClient others) {
            return new HasCome(others, part);
        }

        @Override
        public CompletableFuture<BlockPart> read(NodeId node, BlockId block, int from, int length) {
            return CompletableFuture.completedFuture(part);
        }
    }

    /** Writes nothing until the test says so. */
    private static final class StuckDisk extends ForwardingDisk {
        private final CountDownLatch release;

        StuckDisk(Path root, CountDownLatch release) throws IOException {
            super(new LocalDisk(root));
            this.release = release;
        }

        @Override
        public Written write(String name, ByteBuf head, ByteBuf body) throws IOException {
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            return super.write(name, head, body);
        }
    }
}
