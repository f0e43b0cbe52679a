// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.source;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.OutputStream;

/** Collects bytes up to a limit, in memory of that size; what goes beyond it is dropped. Used by one thread. */
final class BoundedOutput extends OutputStream {

    private final ByteBuf content;
    private boolean full;

    BoundedOutput(int limit) {
        content = Unpooled.buffer(limit, limit);
    }

    @Override
    public void write(int one) {
        if (fits(1)) {
            content.writeByte(one);
        }
    }

    @Override
    public void write(byte[] bytes, int from, int length) {
        if (fits(length)) {
            content.writeBytes(bytes, from, length);
        }
    }

    private boolean fits(int bytes) {
        full |= bytes > content.writableBytes();
        return !full;
    }

    /** Whether more came than the limit allows. */
    boolean isFull() {
        return full;
    }

    /** What came, on the heap. */
    ByteBuf content() {
        return content;
    }
}
