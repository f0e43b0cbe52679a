// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.netty.buffer.ByteBuf;

/**
 * What a block says about itself, on the wire and on disk.
 *
 * @param length bytes of its body, 0 to 16 MiB
 * @param checksums of its body
 */
public record BlockHeader(BlockId id, int length, ChunkChecksums checksums) {
    public BlockHeader {
        if (length < 0 || length > StripeGeometry.MAX_UNIT_BYTES) {
            throw new IllegalArgumentException("block of " + length + " bytes: expected 0 to 16 MiB");
        }
        if (checksums.count() != ChunkChecksums.count(length)) {
            throw new IllegalArgumentException(
                    "block of " + length + " bytes: expected checksums of all chunks, found " + checksums);
        }
    }

    /** The header of a block with this body. */
    public static BlockHeader of(BlockId id, ByteBuf body) {
        return new BlockHeader(id, body.readableBytes(), ChunkChecksums.of(body));
    }

    /** Whether the body is the block's. */
    public boolean matches(ByteBuf body) {
        return body.readableBytes() == length && checksums.match(body);
    }

    /**
     * What there is to know of the chunks that hold a range of the body.
     *
     * @param from start of the range, in bytes
     * @param bytes of the range, at least 1
     * @throws IllegalArgumentException if the range is not in the body
     */
    public PartHeader part(int from, int bytes) {
        if (from < 0 || bytes < 1 || from > length - bytes) {
            throw new IllegalArgumentException(
                    bytes + " bytes from " + from + " of a block of " + length + " bytes: expected a part of it");
        }
        int first = from / ChunkChecksums.CHUNK_BYTES;
        int count = ChunkChecksums.count(from + bytes) - first;
        return new PartHeader(id, length, first, checksums.part(first, count));
    }
}
