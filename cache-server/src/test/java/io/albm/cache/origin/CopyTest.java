// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.cache.store.MemoryBounds;
import io.albm.cache.store.MemoryLedger;
import io.albm.core.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the books say when the machine has less memory than they allow. */
class CopyTest {

    private static final int LARGE = 100_000;

    /** Has no more room for anything large. */
    private static final class Exhausted extends PooledByteBufAllocator {
        private Exhausted() {
            super(true);
        }

        @Override
        protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
            if (initialCapacity >= LARGE) {
                throw new OutOfMemoryError("direct memory");
            }
            return super.newDirectBuffer(initialCapacity, maxCapacity);
        }
    }

    private final MemoryLedger ledger = new MemoryLedger(new MemoryBounds(16 << 20));

    private @Nullable Copy begin(String framing) {
        ResponseHead head = new ResponseHead(1 << 10);
        ByteBuf text = Unpooled.copiedBuffer("HTTP/1.1 200 OK\r\n" + framing + "\r\n\r\n", StandardCharsets.US_ASCII);
        head.feed(text);
        text.release();
        return Copy.begin(head, Replies.ok(), ledger.largestKeptBytes(), ledger, new Exhausted());
    }

    @Test
    void leavesNothingInTheBooksOfWhatCouldNotBeAllocated() {
        assertThatThrownBy(() -> begin("Content-Length: " + LARGE)).isInstanceOf(OutOfMemoryError.class);
        assertThat(ledger.balance().transit()).isZero();
    }

    @Test
    void leavesNothingInTheBooksOfWhatCouldNotGrow() {
        Copy copy = Objects.requireNonNull(begin("Transfer-Encoding: chunked"));
        ByteBuf bytes = Unpooled.wrappedBuffer(new byte[LARGE]);
        assertThatThrownBy(() -> copy.add(bytes)).isInstanceOf(OutOfMemoryError.class);
        bytes.release();
        copy.discard();
        assertThat(ledger.balance().transit()).isZero();
    }
}
