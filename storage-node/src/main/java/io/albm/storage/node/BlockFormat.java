// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.wire.Checksum;
import io.albm.storage.BlockHeader;
import io.albm.storage.BlockId;
import io.albm.storage.Generation;
import io.albm.storage.StripeGeometry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * A block as a file: a head of 64 bytes, then the body. {@code docs/storage.md} draws it; all numbers are big-endian.
 *
 * <pre>
 *  0  magic "ALBMBLK" and version 1
 *  8  generation (16)    24  stripe (8)    32  unit (4)
 * 36  body length (4)    40  body CRC32C (4)
 * 44  zeros (16)         60  CRC32C of the first 60 bytes (4)
 * </pre>
 *
 * The head names the block, so that a file which a disk or an operator has put in the wrong place is not believed.
 */
final class BlockFormat {
    static final int HEAD_BYTES = 64;
    /** The longest file. */
    static final int MAX_BYTES = HEAD_BYTES + StripeGeometry.MAX_UNIT_BYTES;

    private static final long MAGIC_AND_VERSION = 0x414C424D424C4B01L;
    private static final int RESERVED_BYTES = 16;
    private static final int CHECKED_BYTES = 60;

    private BlockFormat() {}

    static ByteBuf head(BlockHeader header, ByteBufAllocator allocator) {
        BlockId id = header.id();
        ByteBuf head = allocator
                .directBuffer(HEAD_BYTES)
                .writeLong(MAGIC_AND_VERSION)
                .writeLong(id.generation().high())
                .writeLong(id.generation().low())
                .writeLong(id.stripe())
                .writeInt(id.unit())
                .writeInt(header.length())
                .writeInt(header.crc32c())
                .writeZero(RESERVED_BYTES);
        return head.writeInt(Checksum.of(head));
    }

    /**
     * Reads the head of a block's file and leaves the reader index at its body.
     *
     * @throws CorruptBlockException unless it is the head of {@code expected} and the body has the length it says
     */
    static BlockHeader readHead(ByteBuf file, BlockId expected) throws CorruptBlockException {
        require(file.readableBytes() >= HEAD_BYTES, expected, "it is cut off");
        int checksum = Checksum.of(file.slice(file.readerIndex(), CHECKED_BYTES));
        require(
                file.getInt(file.readerIndex() + CHECKED_BYTES) == checksum,
                expected,
                "the head does not match its checksum");
        require(file.readLong() == MAGIC_AND_VERSION, expected, "it is no block of version 1");
        Generation generation = new Generation(file.readLong(), file.readLong());
        long stripe = file.readLong();
        int unit = file.readInt();
        require(
                generation.equals(expected.generation()) && stripe == expected.stripe() && unit == expected.unit(),
                expected,
                "it is another block");
        int length = file.readInt();
        int crc32c = file.readInt();
        file.skipBytes(RESERVED_BYTES + Integer.BYTES);
        require(length >= 0 && length == file.readableBytes(), expected, "its body has not the length its head says");
        return new BlockHeader(expected, length, crc32c);
    }

    private static void require(boolean condition, BlockId id, String reason) throws CorruptBlockException {
        if (!condition) {
            throw new CorruptBlockException(id, reason);
        }
    }
}
