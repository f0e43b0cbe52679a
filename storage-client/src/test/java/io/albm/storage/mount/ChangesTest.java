// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.UnpooledByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ChangesTest {
    private static final int MOST = 300;

    private final UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    private final List<Changes> opened = new ArrayList<>();

    private Changes changes(long storedBytes) {
        Changes changes = new Changes(storedBytes, allocator);
        opened.add(changes);
        return changes;
    }

    @AfterEach
    void givesAllMemoryBack() {
        opened.forEach(Changes::release);
        assertThat(allocator.metric().usedDirectMemory()).isZero();
    }

    @Test
    void knowsWhetherItIsTheWholeFile() {
        Changes changes = changes(10);
        changes.write(0, ByteBuffer.allocate(10));
        assertThat(changes.isWhole()).isFalse();
        changes.resize(0);
        assertThat(changes.isWhole()).isTrue();
        changes.write(0, ByteBuffer.allocate(5));
        changes.write(5, ByteBuffer.allocate(5));
        assertThat(changes.isWhole()).isTrue();
        changes.write(11, ByteBuffer.allocate(1));
        assertThat(changes.isWhole()).isFalse();
    }

    @Test
    void isNotTheWholeFileWhileAPartOfItIsZeros() {
        Changes changes = changes(0);
        changes.zero(0, 1L << 40);
        changes.write(0, ByteBuffer.allocate(5));
        assertThat(changes.isWhole()).isFalse();
        changes.resize(10);
        assertThat(changes.isWhole()).isFalse();
        changes.write(5, ByteBuffer.allocate(5));
        assertThat(changes.isWhole()).isTrue();
        changes.zero(3, 1);
        assertThat(changes.isWhole()).isFalse();
    }

    @Test
    void countsItsMemoryWithWhatEachRangeCosts() {
        Changes changes = changes(0);
        for (int next = 0; next < 1000; next++) {
            changes.write(next * 2L, ByteBuffer.allocate(1));
        }
        assertThat(changes.heldBytes()).isBetween(200_000L, 300_000L);
        changes.write(0, ByteBuffer.allocate(2000));
        assertThat(changes.heldBytes()).isBetween(2000L, 3000L);
        changes.zero(0, 2000);
        assertThat(changes.heldBytes()).isLessThan(1000);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void readsWhatWasWrittenOverWhatWasStored(long seed) throws Exception {
        Random random = new Random(seed);
        byte[] stored = new byte[MOST / 2];
        random.nextBytes(stored);
        byte[] model = Arrays.copyOf(stored, MOST);
        int size = stored.length;
        Changes changes = changes(size);
        for (int step = 0; step < 5000; step++) {
            int offset = random.nextInt(MOST - 1);
            int length = 1 + random.nextInt(Math.min(60, MOST - offset - 1));
            switch (random.nextInt(5)) {
                case 0 -> {
                    changes.resize(offset);
                    Arrays.fill(model, Math.min(size, offset), MOST, (byte) 0);
                    size = offset;
                }
                case 1 -> {
                    changes.zero(offset, length);
                    Arrays.fill(model, offset, offset + length, (byte) 0);
                    size = Math.max(size, offset + length);
                }
                default -> {
                    byte[] bytes = new byte[length];
                    random.nextBytes(bytes);
                    changes.write(offset, ByteBuffer.wrap(bytes));
                    System.arraycopy(bytes, 0, model, offset, length);
                    size = Math.max(size, offset + length);
                }
            }
            assertThat(changes.size()).as("size after step %d", step).isEqualTo(size);
            assertThat(read(changes, offset, length, stored))
                    .as("read at %d after step %d", offset, step)
                    .isEqualTo(Arrays.copyOfRange(model, Math.min(offset, size), Math.min(offset + length, size)));
        }
    }

    private static byte[] read(Changes changes, int offset, int length, byte[] stored)
            throws IOException, InterruptedException {
        ByteBuffer target = ByteBuffer.allocate(length);
        changes.read(offset, target, (from, part) -> part.put(stored, (int) from, part.remaining()));
        return Arrays.copyOf(target.array(), target.position());
    }
}
