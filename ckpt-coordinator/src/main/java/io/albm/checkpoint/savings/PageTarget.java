// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.savings;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/** Where a state is put together. What is not written is zeros. */
@FunctionalInterface
public interface PageTarget {
    /** Writes a part of a page. */
    void write(long offset, byte[] from, int at, int length) throws IOException;

    /** A new file, which the caller has given its length. The channel stays the caller's. */
    static PageTarget of(FileChannel file) {
        return (offset, from, at, length) -> {
            ByteBuffer source = ByteBuffer.wrap(from, at, length);
            while (source.hasRemaining()) {
                file.write(source, offset + source.position() - at);
            }
        };
    }

    /** Bytes in memory. */
    static PageTarget of(byte[] state) {
        return (offset, from, at, length) -> System.arraycopy(from, at, state, (int) offset, length);
    }
}
