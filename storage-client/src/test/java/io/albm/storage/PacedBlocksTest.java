// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.node.NodeId;
import io.albm.storage.mount.MemoryBlocks;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A clock that only pauses move. */
class PacedBlocksTest {
    private static final NodeId NODE = new NodeId("n-1");
    private static final int BLOCK = 64 * 1024;
    private static final long BLOCKS_PER_SECOND = 10;

    private long now;

    private final BlockClient blocks =
            new PacedBlocks(new MemoryBlocks(), new RateLimit(BLOCKS_PER_SECOND * BLOCK), () -> now, nanos -> {
                now += nanos;
                return CompletableFuture.completedFuture(null);
            });

    @Test
    void paysForWhatIsWrittenVerifiedAndRead() {
        for (int i = 0; i < 20; i++) {
            BlockId id = new BlockId(new Generation(1, 1), i, 0);
            ByteBuf body = Unpooled.buffer(BLOCK).writeZero(BLOCK);
            blocks.write(NODE, BlockHeader.of(id, body), WriteMode.REPAIR, null, body)
                    .join();
            blocks.verify(NODE, id).join();
            blocks.background().read(NODE, id, 0, BLOCK).join().body().release();
        }
        assertThat(now).isEqualTo(TimeUnit.SECONDS.toNanos(60 - 1) / BLOCKS_PER_SECOND);
    }

    @Test
    void savesNoTimeUpForABurst() {
        RateLimit limit = new RateLimit(1000);
        assertThat(limit.waitNanos(0)).isZero();
        limit.charge(1000, 0);
        long later = TimeUnit.SECONDS.toNanos(100);
        assertThat(limit.waitNanos(later)).isZero();
        limit.charge(500, later);
        assertThat(limit.waitNanos(later)).isEqualTo(TimeUnit.MILLISECONDS.toNanos(500));
    }
}
