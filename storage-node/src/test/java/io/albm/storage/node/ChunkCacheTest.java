// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.albm.storage.BlockHeader;
import io.albm.storage.BlockId;
import io.albm.storage.ChunkChecksums;
import io.albm.storage.Generation;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ChunkCacheTest {
    private static final int CHUNK = ChunkChecksums.CHUNK_BYTES;
    private static final Generation GENERATION = new Generation(1, 2);
    private static final BlockId BLOCK = new BlockId(GENERATION, 3, 4);
    private static final byte[] CONTENT = content(3 * CHUNK + 5, 1);

    /** Counts what it has given out, so that a buffer that nobody released is seen. */
    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);

    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private final ChunkCache cache = new ChunkCache(1 << 20, allocator, hits, misses);
    private final Blocks blocks = new Blocks();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** A disk whose reads can be held, counted and spoilt. */
    private final class Blocks implements ChunkCache.Disk {
        private final Map<BlockId, byte[]> contents = new ConcurrentHashMap<>(Map.of(BLOCK, CONTENT));
        private final Map<BlockId, BlockHeader> headers = new ConcurrentHashMap<>();
        private final AtomicInteger loads = new AtomicInteger();
        private volatile CountDownLatch gate = new CountDownLatch(0);

        @Override
        public ChunkCache.Loaded load(BlockId id, int first, int count) throws IOException {
            loads.incrementAndGet();
            byte[] content = contents.get(id);
            try {
                gate.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            if (content == null) {
                throw new NoSuchFileException(id.toString());
            }
            BlockHeader header =
                    headers.computeIfAbsent(id, block -> BlockHeader.of(block, Unpooled.wrappedBuffer(content)));
            int from = first * CHUNK;
            int bytes = BlockStore.part(header, from, (count - 1) * CHUNK + 1).bytes();
            return new ChunkCache.Loaded(header, allocator.directBuffer(bytes).writeBytes(content, from, bytes));
        }
    }

    @AfterEach
    void nothingIsLeftOfWhatWasAllocated() {
        blocks.gate.countDown();
        threads.close();
        cache.close();
        assertThat(cache.bytes()).isZero();
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    private byte[] read(int from, int length) throws IOException {
        return read(BLOCK, from, length);
    }

    private byte[] read(BlockId id, int from, int length) throws IOException {
        StoredPart part = cache.read(id, from, length, blocks);
        ByteBuf body = (ByteBuf) part.body();
        try {
            assertThat(body.readableBytes()).isEqualTo(part.header().bytes());
            return ByteBufUtil.getBytes(body);
        } finally {
            body.release();
        }
    }

    private static byte[] chunks(int first, int count) {
        return Arrays.copyOfRange(CONTENT, first * CHUNK, Math.min(CONTENT.length, (first + count) * CHUNK));
    }

    private static byte[] content(int length, long seed) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    @Test
    void givesTheChunksThatHoldARangeAndReadsThemOnce() throws IOException {
        assertThat(read(CHUNK - 1, 2)).isEqualTo(chunks(0, 2));
        assertThat(read(0, 1)).isEqualTo(chunks(0, 1));
        assertThat(read(CHUNK, CHUNK)).isEqualTo(chunks(1, 1));
        assertThat(blocks.loads).hasValue(1);
        assertThat(hits.sum()).isEqualTo(2);
        assertThat(misses.sum()).isEqualTo(2);
    }

    @Test
    void readsWhatIsMissingBetweenWhatIsThere() throws IOException {
        read(CHUNK, 1);
        read(3 * CHUNK, 5);

        assertThat(read(0, CONTENT.length)).isEqualTo(CONTENT);
        assertThat(blocks.loads).hasValue(4);
        assertThat(read(0, CONTENT.length)).isEqualTo(CONTENT);
        assertThat(blocks.loads).hasValue(4);
    }

    @Test
    void refusesARangeThatIsNotInTheBlockWhateverIsThere() throws IOException {
        for (int round = 0; round < 2; round++) {
            assertThatExceptionOfType(CorruptBlockException.class).isThrownBy(() -> read(3 * CHUNK, 6));
            assertThatExceptionOfType(CorruptBlockException.class).isThrownBy(() -> read(4 * CHUNK, 1));
            assertThatExceptionOfType(CorruptBlockException.class).isThrownBy(() -> read(0, CONTENT.length + CHUNK));
        }
        assertThat(read(0, CONTENT.length)).isEqualTo(CONTENT);
    }

    @Test
    void whoAsksForWhatIsBeingReadWaitsForThat() throws Exception {
        blocks.gate = new CountDownLatch(1);
        List<Future<byte[]>> readers = new ArrayList<>();
        Future<byte[]> first = threads.submit(() -> read(0, CONTENT.length));
        await().until(() -> misses.sum() == 4);
        for (int i = 0; i < 8; i++) {
            readers.add(threads.submit(() -> read(CHUNK, 2 * CHUNK)));
        }
        await().until(() -> hits.sum() == 16);

        blocks.gate.countDown();

        assertThat(first.get()).isEqualTo(CONTENT);
        for (Future<byte[]> reader : readers) {
            assertThat(reader.get()).isEqualTo(chunks(1, 2));
        }
        assertThat(blocks.loads).hasValue(1);
    }

    @Test
    void aReadThatFailsFailsForAllWhoWaitedAndForNobodyLater() throws Exception {
        blocks.contents.clear();
        blocks.gate = new CountDownLatch(1);
        Future<byte[]> first = threads.submit(() -> read(0, 1));
        await().until(() -> misses.sum() == 1);
        Future<byte[]> second = threads.submit(() -> read(0, CHUNK + 1));
        await().until(() -> misses.sum() == 2);

        blocks.gate.countDown();

        for (Future<byte[]> reader : List.of(first, second)) {
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(reader::get)
                    .withCauseInstanceOf(NoSuchFileException.class);
        }
        blocks.contents.put(BLOCK, CONTENT);
        assertThat(read(0, CONTENT.length)).isEqualTo(CONTENT);
    }

    @Test
    void whatDoesNotMatchItsChecksumIsGivenButNotKept() throws IOException {
        read(0, 1);
        byte[] spoilt = CONTENT.clone();
        spoilt[CHUNK] ^= 1;
        blocks.contents.put(BLOCK, spoilt);

        assertThat(read(CHUNK, 1)).isNotEqualTo(chunks(1, 1));
        blocks.contents.put(BLOCK, CONTENT);
        assertThat(read(CHUNK, 1)).isEqualTo(chunks(1, 1));
    }

    @Test
    void whatIsForgottenIsReadAgain() throws IOException {
        BlockId neighbour = new BlockId(GENERATION, 4, 4);
        blocks.contents.put(neighbour, CONTENT);
        read(0, 1);
        read(neighbour, 0, 1);
        cache.forget(BLOCK);
        read(neighbour, 0, 1);
        assertThat(blocks.loads).hasValue(2);
        read(0, 1);
        assertThat(blocks.loads).hasValue(3);

        cache.forget(GENERATION);
        blocks.contents.clear();
        assertThat(cache.bytes()).isZero();
        assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> read(0, 1));
        assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> read(neighbour, 0, 1));
    }

    @Test
    void whatIsForgottenWhileItIsReadIsNotKept() throws Exception {
        blocks.gate = new CountDownLatch(1);
        Future<byte[]> before = threads.submit(() -> read(0, 1));
        await().until(() -> blocks.loads.get() == 1);
        blocks.contents.clear();
        cache.forget(GENERATION);
        Future<byte[]> after = threads.submit(() -> read(0, 1));
        await().until(() -> blocks.loads.get() == 2);

        blocks.gate.countDown();

        assertThat(before.get()).isEqualTo(chunks(0, 1));
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(after::get)
                .withCauseInstanceOf(NoSuchFileException.class);
        assertThat(cache.bytes()).isZero();
    }

    @Test
    void keepsNoMoreThanItsCapacity() throws IOException {
        for (int stripe = 0; stripe < 100; stripe++) {
            BlockId block = new BlockId(GENERATION, stripe, 0);
            blocks.contents.put(block, CONTENT);
            read(block, 0, CONTENT.length);
            assertThat(cache.bytes()).isLessThanOrEqualTo(1 << 20);
        }
        assertThat(cache.bytes()).isGreaterThan((1 << 20) - CHUNK - ChunkCache.OVERHEAD);
        assertThat(allocator.metric().usedDirectMemory()).isLessThanOrEqualTo(cache.bytes());
    }

    @Test
    void whatWentStaysWithItsReaderUntilHeIsDone() throws IOException {
        StoredPart part = cache.read(BLOCK, 0, 1, blocks);
        cache.forget(BLOCK);

        assertThat(ByteBufUtil.getBytes((ByteBuf) part.body())).isEqualTo(chunks(0, 1));
        part.body().release();
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    /** Each generation has one content and, once it is removed, none. */
    @Test
    void manyWhoReadAndRemoveGetTheRightBytesOrNone() throws Exception {
        List<Callable<Void>> work = new ArrayList<>();
        for (int thread = 0; thread < 8; thread++) {
            int seed = thread;
            work.add(() -> {
                Random random = new Random(seed);
                for (int i = 0; i < 2000; i++) {
                    work(random);
                }
                return null;
            });
        }
        for (Future<Void> done : threads.invokeAll(work)) {
            done.get();
        }
    }

    private void work(Random random) throws IOException {
        int number = random.nextInt(20);
        BlockId block = new BlockId(new Generation(7, number), 0, 0);
        if (random.nextInt(10) == 0) {
            blocks.contents.remove(block);
            cache.forget(block.generation());
        } else if (random.nextInt(5) == 0) {
            blocks.contents.put(block, content(3 * CHUNK, number));
        } else {
            int from = random.nextInt(3) * CHUNK;
            try {
                byte[] all = content(3 * CHUNK, number);
                assertThat(read(block, from, 3 * CHUNK - from)).isEqualTo(Arrays.copyOfRange(all, from, 3 * CHUNK));
            } catch (NoSuchFileException removed) {
                assertThat(removed).hasMessageContaining(block.toString());
            }
        }
    }
}
