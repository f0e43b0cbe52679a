// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayDeque;
import org.junit.jupiter.api.Test;

final class FramePoolTest {
    private static final int FRAME = (1 << 20) + 200;

    @Test
    void framesThatComeAndGoStayInTheSameMemory() {
        PooledByteBufAllocator pool = FramePool.forMemory(1L << 30);
        ArrayDeque<ByteBuf> inFlight = new ArrayDeque<>();
        for (int i = 0; i < 8; i++) {
            inFlight.add(pool.buffer(FRAME));
        }
        long memory = pool.metric().usedDirectMemory();

        for (int i = 0; i < 1000; i++) {
            for (int ended = 0; ended <= i % 7; ended++) {
                inFlight.remove().release();
            }
            assertThat(pool.metric().usedDirectMemory()).as("round %s", i).isEqualTo(memory);
            while (inFlight.size() < 8) {
                inFlight.add(pool.buffer(FRAME));
            }
        }
        inFlight.forEach(ByteBuf::release);
    }

    @Test
    void aSmallMachineKeepsToNettysChunks() {
        assertThat(FramePool.forMemory(64L << 20).metric().chunkSize())
                .isEqualTo(PooledByteBufAllocator.DEFAULT.metric().chunkSize());
        assertThat(FramePool.forMemory(192L << 20).metric().chunkSize()).isEqualTo(16 << 20);
    }

    @Test
    void itsMemoryIsDirectAndPooled() {
        ByteBuf frame = FramePool.allocator().buffer(FRAME);

        assertThat(frame.isDirect()).isTrue();
        assertThat(frame.alloc()).isSameAs(FramePool.allocator()).isInstanceOf(PooledByteBufAllocator.class);
        frame.release();
    }
}
