// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Random;

/** What files are filled with: blocks that nobody can compress, each with its number in front. Not thread-safe. */
final class Content {
    /** Bytes of a block, which is written and read at a time. */
    static final int BLOCK = 1 << 20;

    private final byte[] block = new byte[BLOCK];

    Content() {
        new Random(1).nextBytes(block);
    }

    /** The block of that number; the array is good until the next call. */
    byte[] block(int number) {
        ByteBuffer.wrap(block).putInt(number);
        return block;
    }

    /** Fails unless these bytes are the block of that number. */
    void check(ByteBuffer read, int number) throws IOException {
        if (!read.equals(ByteBuffer.wrap(block(number)))) {
            throw new IOException("block " + number + " was read with wrong bytes");
        }
    }

    /** That many blocks, one after the other. */
    InputStream stream(int blocks) {
        return new InputStream() {
            private long position;

            @Override
            public int read() {
                throw new UnsupportedOperationException("read more than a byte at a time");
            }

            @Override
            public int read(byte[] target, int offset, int length) {
                int number = (int) (position / BLOCK);
                if (number == blocks) {
                    return -1;
                }
                int from = (int) (position % BLOCK);
                int count = Math.min(length, BLOCK - from);
                System.arraycopy(block(number), from, target, offset, count);
                position += count;
                return count;
            }
        };
    }
}
