// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.wire.Checksum;
import io.albm.core.wire.WireBuffers;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * CRC32C of each chunk of 64 KiB of a block's body, the last of which may be shorter: so that a part of a block can be read
 * and checked without the rest. Immutable.
 */
public final class ChunkChecksums {
    /** Bytes of a chunk. */
    public static final int CHUNK_BYTES = 64 * 1024;

    /** Chunks of the longest block. */
    public static final int MAX_COUNT = StripeGeometry.MAX_UNIT_BYTES / CHUNK_BYTES;

    private final int[] values;

    private ChunkChecksums(int[] values) {
        this.values = values;
    }

    /** Chunks of a body of that many bytes. */
    public static int count(int bytes) {
        return Math.ceilDiv(bytes, CHUNK_BYTES);
    }

    /** The checksums of a buffer's readable bytes; moves no index. */
    public static ChunkChecksums of(ByteBuf body) {
        int[] values = new int[count(body.readableBytes())];
        for (int i = 0; i < values.length; i++) {
            values[i] = of(body, i);
        }
        return new ChunkChecksums(values);
    }

    private static int of(ByteBuf body, int chunk) {
        int start = chunk * CHUNK_BYTES;
        int length = Math.min(CHUNK_BYTES, body.readableBytes() - start);
        return Checksum.of(body.slice(body.readerIndex() + start, length));
    }

    /** Takes the checksums of {@code count} chunks from a header. */
    public static ChunkChecksums read(ByteBuf in, int count) {
        int[] values = new int[count];
        for (int i = 0; i < count; i++) {
            values[i] = WireBuffers.getInt(in);
        }
        return new ChunkChecksums(values);
    }

    /** Appends them, 4 bytes each. */
    public void write(ByteBuf out) {
        for (int value : values) {
            out.writeInt(value);
        }
    }

    /** How many chunks. */
    public int count() {
        return values.length;
    }

    /** Those of {@code count} chunks from chunk {@code first} on. */
    public ChunkChecksums part(int first, int count) {
        return new ChunkChecksums(Arrays.copyOfRange(values, first, first + count));
    }

    /** Whether these are the checksums of a buffer's readable bytes; moves no index. */
    public boolean match(ByteBuf body) {
        if (count(body.readableBytes()) != values.length) {
            return false;
        }
        for (int i = 0; i < values.length; i++) {
            if (of(body, i) != values[i]) {
                return false;
            }
        }
        return true;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ChunkChecksums that && Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        return values.length + " checksums, " + Integer.toHexString(hashCode());
    }
}
