// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.node.NodeId;
import io.albm.storage.BlockClient;
import io.albm.storage.BlockHeader;
import io.albm.storage.BlockId;
import io.albm.storage.BlockPart;
import io.albm.storage.Generation;
import io.albm.storage.WriteMode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Requests that can wait and requests that cannot at one node, over real sockets, with a disk that is stuck. */
class BackgroundTurnsTest {
    private static final NodeId NODE = new NodeId("n-1");
    private static final BlockId STUCK = new BlockId(new Generation(1, 1), 0, 0);
    private static final BlockId QUICK = new BlockId(new Generation(1, 1), 1, 0);

    @TempDir
    Path dir;

    private final Semaphore opening = new Semaphore(0);
    private final CountDownLatch release = new CountDownLatch(1);
    private StorageRig rig;

    @BeforeEach
    void start() throws IOException {
        rig = StorageRig.start(dir, 0);
        rig.startNode(NODE.value(), new BlockStore(new StuckDisk(dir.resolve("disk")), 1L << 40, 0, Runnable::run));
        for (BlockId block : List.of(STUCK, QUICK)) {
            write(rig.blocks(), block, WriteMode.NEW).join();
        }
    }

    private static CompletableFuture<Void> write(BlockClient blocks, BlockId block, WriteMode mode) {
        ByteBuf body = Unpooled.copiedBuffer(StorageRig.content(1000, 1));
        return blocks.write(NODE, BlockHeader.of(block, body), mode, null, body);
    }

    @AfterEach
    void close() throws IOException {
        release.countDown();
        rig.close();
    }

    @Test
    void answersOthersWhileBackgroundRequestsHoldAllTheirTurns() throws Exception {
        List<CompletableFuture<BlockPart>> waiting = takeAllTurns();
        for (int i = 0; i < 50; i++) {
            rig.blocks().read(NODE, QUICK, 0, 1000).join().body().release();
        }
        assertThat(opening.availablePermits()).as("reads beyond the turns").isZero();
        release.countDown();
        for (CompletableFuture<BlockPart> read : waiting) {
            read.join().body().release();
        }
    }

    @Test
    void letsBackgroundWritesWaitAndNoOthers() throws Exception {
        List<CompletableFuture<BlockPart>> waiting = takeAllTurns();
        CompletableFuture<Void> rebuilt = write(rig.blocks().background(), block(2), WriteMode.REPAIR);
        for (int i = 3; i < 20; i++) {
            write(rig.blocks(), block(i), i % 2 == 0 ? WriteMode.NEW : WriteMode.REPAIR)
                    .join();
        }
        assertThat(rebuilt).isNotDone();
        release.countDown();
        rebuilt.join();
        for (CompletableFuture<BlockPart> read : waiting) {
            read.join().body().release();
        }
    }

    private static BlockId block(int stripe) {
        return new BlockId(new Generation(1, 1), stripe, 0);
    }

    /** Has background reads of the block that is stuck hold all turns, and as many more wait for one. */
    private List<CompletableFuture<BlockPart>> takeAllTurns() throws InterruptedException {
        BlockClient background = rig.blocks().background();
        List<CompletableFuture<BlockPart>> waiting = new ArrayList<>();
        for (int i = 0; i < 2 * BackgroundShare.IDLE_TURNS; i++) {
            waiting.add(background.read(NODE, STUCK, 0, 1000));
        }
        assertThat(opening.tryAcquire(BackgroundShare.IDLE_TURNS, 10, TimeUnit.SECONDS))
                .isTrue();
        return waiting;
    }

    /** Opens one block only when the test says so. */
    private final class StuckDisk extends ForwardingDisk {
        StuckDisk(Path root) throws IOException {
            super(new LocalDisk(root));
        }

        @Override
        public BlockFile open(String name, Runnable closed) throws IOException {
            if (name.endsWith("/0-0")) {
                opening.release();
                try {
                    release.await();
                } catch (InterruptedException e) {
                    throw new IOException(e);
                }
            }
            return super.open(name, closed);
        }
    }
}
