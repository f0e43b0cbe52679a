// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.albm.storage.BlockHeader;
import io.albm.storage.BlockId;
import io.albm.storage.Generation;
import io.albm.storage.WriteMode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UnsettledBlocksTest {
    private static final Generation GENERATION = new Generation(1, 2);
    private static final BlockId BLOCK = block(0);
    private static final long AMPLE = 1L << 40;

    @TempDir
    Path dir;

    private final List<Runnable> later = new ArrayList<>();

    @Test
    void showsABlockBeforeItHasAName() throws IOException {
        BlockStore store = open(later::add);
        write(store, BLOCK, "albm");
        assertThat(file(BLOCK)).doesNotExist();
        assertThat(store.verify(BLOCK)).isEqualTo(header(BLOCK, "albm"));
        later.forEach(Runnable::run);
        assertThat(file(BLOCK)).exists();
        assertThat(store.verify(BLOCK)).isEqualTo(header(BLOCK, "albm"));
        assertThat(dir.resolve("tmp")).isEmptyDirectory();
    }

    @Test
    void settlesAGenerationWhenItIsSealed() throws IOException {
        BlockStore store = open(later::add);
        write(store, BLOCK, "albm");
        write(store, new BlockId(new Generation(3, 4), 0, 0), "other");
        assertThat(store.seal(GENERATION, null)).isEqualTo(1);
        assertThat(file(BLOCK)).exists();
        assertThat(store.space().blocks()).isEqualTo(1);
        later.forEach(Runnable::run);
        assertThat(store.space().blocks()).isEqualTo(2);
        assertThat(store.space().used()).isEqualTo(48 + 4 + 48 + 5);
    }

    @Test
    void takesTheSameBlockTwiceAndRefusesAnotherWhileItIsNotSettled() throws IOException {
        BlockStore store = open(later::add);
        write(store, BLOCK, "albm");
        write(store, BLOCK, "albm");
        assertThatIOException().isThrownBy(() -> write(store, BLOCK, "other")).withMessageContaining("other content");
        assertThat(store.seal(GENERATION, null)).isEqualTo(1);
        assertThat(store.space().used()).isEqualTo(48 + 4);
    }

    @Test
    void hasTheSealFindTooFewAfterACrash() throws IOException {
        write(open(later::add), BLOCK, "albm");
        BlockStore again = open(later::add);
        assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> again.verify(BLOCK));
        assertThat(again.seal(GENERATION, null)).isZero();
        assertThat(again.space().used()).isZero();
    }

    @Test
    void tellsTheSealWhatFailed() throws IOException {
        BlockStore store = new BlockStore(new FailingDisk(dir), AMPLE, 0, later::add);
        write(store, BLOCK, "albm");
        assertThatIOException().isThrownBy(() -> store.seal(GENERATION, null)).withMessage("the disk has failed");
        assertThat(store.seal(GENERATION, null)).isZero();
        assertThat(store.space().used()).isZero();
        assertThat(dir.resolve("tmp")).isEmptyDirectory();
    }

    @Test
    void letsOnlySoManyBytesWait() throws IOException {
        BlockStore store = open(later::add);
        int most = (int) (UnsettledBlocks.MOST_BYTES >> 20);
        for (int stripe = 0; stripe <= most; stripe++) {
            write(store, block(stripe), "small, and yet a file is open for it");
        }
        assertThat(file(block(most - 1))).doesNotExist();
        assertThat(file(block(most))).exists();
        later.forEach(Runnable::run);
        write(store, block(most + 1), "albm");
        assertThat(file(block(most + 1))).doesNotExist();
    }

    @Test
    void settlesABlockAtOnceWhenNobodyElseHasTime() throws IOException {
        BlockStore store = open(task -> {
            throw new RejectedExecutionException();
        });
        write(store, BLOCK, "albm");
        assertThat(file(BLOCK)).exists();
    }

    @Test
    void removesAGenerationThatIsNotSettled() throws IOException {
        // It must not be made durable first, either: that may take longer than the caller waits.
        FailingDisk disk = new FailingDisk(dir);
        BlockStore store = new BlockStore(disk, AMPLE, 0, later::add);
        write(store, BLOCK, "albm");
        store.remove(GENERATION, null);
        assertThat(dir.resolve("tmp")).isEmptyDirectory();
        later.forEach(Runnable::run);
        assertThat(disk.syncs()).isZero();
        assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> store.verify(BLOCK));
        assertThat(store.space().blocks()).isZero();
        assertThat(store.space().used()).isZero();
    }

    @Test
    void settlesAllBeforeANodeEnds() throws IOException {
        BlockStore store = open(later::add);
        write(store, BLOCK, "albm");
        store.settle();
        assertThat(open(later::add).verify(BLOCK)).isEqualTo(header(BLOCK, "albm"));
    }

    private BlockStore open(Executor settler) throws IOException {
        return new BlockStore(new LocalDisk(dir), AMPLE, 0, settler);
    }

    private Path file(BlockId id) {
        return dir.resolve(SimIoNode.fileOf(id));
    }

    private static BlockId block(int stripe) {
        return new BlockId(GENERATION, stripe, 0);
    }

    private static BlockHeader header(BlockId id, String content) {
        return BlockHeader.of(id, bytes(content));
    }

    private static void write(BlockStore store, BlockId id, String content) throws IOException {
        store.write(header(id, content), WriteMode.NEW, null, bytes(content));
    }

    private static ByteBuf bytes(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
    }
}
