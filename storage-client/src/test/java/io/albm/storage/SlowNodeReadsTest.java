// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.node.NodeId;
import io.albm.storage.mount.LocalStorage;
import io.albm.storage.mount.MemoryBlocks;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What many readers of a file get of it while one of its nodes is lost and another one slow: all others are needed. */
class SlowNodeReadsTest {
    private static final int UNIT = 64 * 1024;
    private static final int ON_LOST = 0;
    private static final int ON_SLOW = 1;

    private final LocalStorage storage =
            new LocalStorage(100, 5, new StripeSettings(UNIT, 4, 1, 3, Duration.ofSeconds(5)));
    private final MemoryBlocks blocks = storage.blocks();
    private final byte[] content = new byte[4 * UNIT];
    private StripedReader reader;

    @BeforeEach
    void loseOneAndSlowDownAnother() throws IOException {
        new Random(7).nextBytes(content);
        new StripedStore(storage.files()).writeBytes("/f", content, PutMode.REPLACE);
        reader = StripedStore.await(storage.files().open(StoragePath.of("/f")));
        blocks.lose(nodeOf(ON_LOST));
        blocks.slowDown(nodeOf(ON_SLOW));
    }

    private NodeId nodeOf(int unit) {
        return reader.file().content().segments().getFirst().layout().nodeOf(0, unit);
    }

    @Test
    void aSlowNodeIsWaitedForByAllWhoNeedItHoweverManyHadLeftItOut() throws IOException {
        check(begin(ON_LOST), ON_LOST);
        CompletableFuture<Void> others = blocks.holdReads();
        List<CompletableFuture<ByteBuf>> reads = leaveOutTheSlow(2);
        others.complete(null);
        for (CompletableFuture<ByteBuf> read : reads) {
            check(read, ON_SLOW);
        }
    }

    @Test
    void aSlowNodeThatOthersLeaveOutMeanwhileIsWaitedForAllTheSame() throws IOException {
        CompletableFuture<Void> lost = blocks.holdReads();
        CompletableFuture<ByteBuf> read = begin(ON_LOST);
        CompletableFuture<Void> others = blocks.holdReads();
        lost.complete(null);
        CompletableFuture<Void> lostAgain = blocks.holdReads();
        others.complete(null);
        CompletableFuture<Void> never = blocks.holdReads();
        assertThat(leaveOutTheSlow(0)).noneMatch(CompletableFuture::isDone);
        blocks.holdReads().complete(null);
        lostAgain.complete(null);
        check(read, ON_LOST);
        assertThat(never).isNotDone();
    }

    /** Three reads that find it slow, and more that leave it out for that. */
    private List<CompletableFuture<ByteBuf>> leaveOutTheSlow(int more) {
        return Stream.generate(() -> begin(ON_SLOW)).limit(3 + more).toList();
    }

    private CompletableFuture<ByteBuf> begin(int unit) {
        int at = unit * UNIT + 100;
        return reader.read(reader.pieceAt(at).part(at, 1000));
    }

    private void check(CompletableFuture<ByteBuf> reading, int unit) throws IOException {
        ByteBuf read = StripedStore.await(reading);
        int at = unit * UNIT + 100;
        assertThat(ByteBufUtil.getBytes(read)).isEqualTo(Arrays.copyOfRange(content, at, at + 1000));
        read.release();
    }
}
