// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.netty.buffer.ByteBuf;

/**
 * Which part of a block some bytes are: one or more whole chunks.
 *
 * @param length bytes of the whole block's body, 1 to 16 MiB
 * @param firstChunk number of the first chunk
 * @param checksums of the chunks, at least one
 */
public record PartHeader(BlockId id, int length, int firstChunk, ChunkChecksums checksums) {
    public PartHeader {
        if (length < 1 || length > StripeGeometry.MAX_UNIT_BYTES) {
            throw new IllegalArgumentException("part of a block of " + length + " bytes: expected 1 to 16 MiB");
        }
        if (firstChunk < 0 || checksums.count() < 1 || firstChunk > ChunkChecksums.count(length) - checksums.count()) {
            throw new IllegalArgumentException("chunks from " + firstChunk + " on of a block of " + length
                    + " bytes: expected at least one, and none behind its end, found " + checksums);
        }
    }

    /** Where the first chunk starts in the block's body, in bytes. */
    public int start() {
        return firstChunk * ChunkChecksums.CHUNK_BYTES;
    }

    /** Where the last chunk ends in the block's body, in bytes. */
    public int end() {
        return Math.min(length, (firstChunk + checksums.count()) * ChunkChecksums.CHUNK_BYTES);
    }

    /** Bytes of the chunks. */
    public int bytes() {
        return end() - start();
    }

    /** Whether these bytes are the chunks. */
    public boolean matches(ByteBuf chunks) {
        return chunks.readableBytes() == bytes() && checksums.match(chunks);
    }
}
