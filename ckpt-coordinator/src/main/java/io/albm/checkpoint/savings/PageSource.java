// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.savings;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.Arrays;

/** Bytes of a state that can be read from anywhere. */
@FunctionalInterface
public interface PageSource {
    /**
     * Reads from a place on.
     *
     * @return how many bytes were read, less than wanted only at the end
     */
    int read(long offset, byte[] to, int length) throws IOException;

    /** A local copy. The channel stays the caller's. */
    static PageSource of(FileChannel file) {
        return (offset, to, length) -> {
            ByteBuffer target = ByteBuffer.wrap(to, 0, length);
            while (target.hasRemaining()) {
                if (file.read(target, offset + target.position()) < 0) {
                    break;
                }
            }
            return target.position();
        };
    }

    /** Bytes in memory. */
    static PageSource of(byte[] bytes) {
        return (offset, to, length) -> {
            int count = Math.clamp(bytes.length - offset, 0, length);
            System.arraycopy(bytes, (int) Math.min(offset, bytes.length), to, 0, count);
            return count;
        };
    }

    /** Reads exactly one page of a state, with zeros behind the state's end. */
    default void readPage(long offset, byte[] page, long size) throws IOException {
        int wanted = (int) Math.min(page.length, size - offset);
        if (read(offset, page, wanted) < wanted) {
            throw new TornStateException("the state ends before byte " + (offset + wanted) + " of " + size);
        }
        Arrays.fill(page, wanted, page.length, (byte) 0);
    }
}
