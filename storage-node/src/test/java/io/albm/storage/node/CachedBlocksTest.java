// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.albm.core.config.ConfigException;
import io.albm.core.config.Configuration;
import io.albm.core.config.Sources;
import io.albm.storage.BlockHeader;
import io.albm.storage.BlockId;
import io.albm.storage.Generation;
import io.albm.storage.WriteMode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A block store that keeps in memory what was read, and the disk below it. */
class CachedBlocksTest {
    private static final Generation GENERATION = new Generation(1, 2);
    private static final BlockId BLOCK = new BlockId(GENERATION, 7, 4);

    @TempDir
    private Path dir;

    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final ChunkCache cache = new ChunkCache(1 << 20, allocator, hits, misses);

    @AfterEach
    void nothingIsLeftOfWhatWasAllocated() {
        cache.close();
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    private BlockStore open(BlockDisk disk, Executor settler) throws IOException {
        return new BlockStore(disk, 1L << 40, 0, settler, cache, 0);
    }

    private BlockStore open() throws IOException {
        return open(new LocalDisk(dir), Runnable::run);
    }

    private static void write(BlockStore store, WriteMode mode) throws IOException {
        ByteBuf body = Unpooled.copiedBuffer("albm", StandardCharsets.UTF_8);
        store.write(BlockHeader.of(BLOCK, body), mode, null, body);
    }

    private static String read(BlockStore store) throws IOException {
        return taken(store.read(BLOCK, 1, 2));
    }

    private static String taken(StoredPart part) {
        ByteBuf body = (ByteBuf) part.body();
        try {
            return new String(ByteBufUtil.getBytes(body), StandardCharsets.UTF_8);
        } finally {
            body.release();
        }
    }

    private Path file() {
        return dir.resolve("blocks").resolve(GENERATION.toString()).resolve("7-4");
    }

    private void spoil() throws IOException {
        byte[] bytes = Files.readAllBytes(file());
        bytes[bytes.length - 1] ^= 1;
        Files.write(file(), bytes);
    }

    @Test
    void readsFromMemoryAndChecksTheDisk() throws IOException {
        BlockStore store = open();
        write(store, WriteMode.NEW);
        assertThat(read(store)).isEqualTo("albm");

        spoil();

        assertThat(read(store)).isEqualTo("albm");
        assertThat(hits.sum()).isEqualTo(1);
        assertThatExceptionOfType(CorruptBlockException.class).isThrownBy(() -> store.verify(BLOCK));
        Files.delete(file());
        assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> store.verify(BLOCK));
    }

    @Test
    void readsARepairedBlockFromTheDiskAgain() throws IOException {
        BlockStore store = open();
        write(store, WriteMode.NEW);
        spoil();
        assertThat(read(store)).isNotEqualTo("albm");

        write(store, WriteMode.REPAIR);
        assertThat(read(store)).isEqualTo("albm");
        write(store, WriteMode.REPAIR);
        assertThat(read(store)).isEqualTo("albm");

        assertThat(misses.sum()).isEqualTo(3);
    }

    @Test
    void takesWhatTheDiskCannotReadForCorrupt() throws IOException {
        BadSectors disk = new BadSectors(dir);
        BlockStore store = open(disk, Runnable::run);
        write(store, WriteMode.NEW);
        disk.spoil();

        assertThatExceptionOfType(CorruptBlockException.class).isThrownBy(() -> read(store));

        write(store, WriteMode.REPAIR);
        assertThat(read(store)).isEqualTo("albm");
    }

    @Test
    void aRemovedBlockIsGone() throws IOException {
        BlockStore store = open();
        write(store, WriteMode.NEW);
        assertThat(read(store)).isEqualTo("albm");

        store.remove(GENERATION, null);

        assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> read(store));
        assertThat(cache.bytes()).isZero();
    }

    @Test
    void aBlockThatCouldNotBeMadeDurableIsGoneAlthoughItWasRead() throws IOException {
        List<Runnable> later = new ArrayList<>();
        BlockStore store = open(new FailingDisk(dir), later::add);
        write(store, WriteMode.NEW);
        assertThat(read(store)).isEqualTo("albm");

        later.forEach(Runnable::run);

        assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> read(store));
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> store.seal(GENERATION, null));
    }

    @Test
    void workInTheBackgroundLeavesTheCacheAsItIs() throws IOException {
        BlockStore store = open();
        write(store, WriteMode.NEW);

        assertThat(taken(store.readFromDisk(BLOCK, 0, 4))).isEqualTo("albm");

        assertThat(cache.bytes()).isZero();
        assertThat(misses.sum()).isZero();
    }

    @Test
    void memoryIsForDirectIoOnly() {
        assertThat(bytes(Map.of())).isZero();
        assertThat(bytes(Map.of("direct-io", "true"))).isEqualTo(64 << 20);
        assertThat(bytes(Map.of("direct-io", "true", "cache", "1MiB"))).isEqualTo(1 << 20);
        assertThat(bytes(Map.of("cache", "0"))).isZero();
        assertThatExceptionOfType(ConfigException.class)
                .isThrownBy(() -> bytes(Map.of("cache", "1MiB")))
                .withMessageContainingAll("cache = '1 MiB' (command line --cache)", "direct-io = true");
    }

    private static long bytes(Map<String, String> commandLine) {
        return StorageNodeConfig.cacheBytes(
                Configuration.load(StorageNodeConfig.SCHEMA, new Sources(commandLine, Map.of(), Optional.empty())));
    }
}
