// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.wire.Checksum;
import io.albm.storage.BlockHeader;
import io.albm.storage.BlockId;
import io.albm.storage.ChunkChecksums;
import io.albm.storage.Generation;
import io.albm.storage.StripeGeometry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;

/**
 * A block as a file: a head, then the body. {@code docs/storage.md} draws it; all numbers are big-endian.
 *
 * <pre>
 *  0  magic "ALBMBLK" and version 2
 *  8  generation (16)    24  stripe (8)    32  unit (4)    36  body length (4)
 * 40  CRC32C of each chunk of 64 KiB of the body (4 each)
 *     CRC32C of all that (4)
 * </pre>
 *
 * The head names the block, so that a file which a disk or an operator has put in the wrong place is not believed.
 */
final class BlockFormat {
    /** The longest head. */
    static final int MAX_HEAD_BYTES = headBytes(StripeGeometry.MAX_UNIT_BYTES);

    private static final int PAGE_BYTES = 4096;
    private static final long MAGIC = 0x414C424D424C4B00L;
    private static final int VERSION = 2;
    private static final int LENGTH_AT = 36;
    private static final int CHECKSUMS_AT = 40;

    private BlockFormat() {}

    /** Whether it is the length of a block's file whose body has no part of a page. */
    static boolean isOfWholePages(long fileBytes) {
        long body = fileBytes / PAGE_BYTES * PAGE_BYTES;
        return body > 0 && body <= StripeGeometry.MAX_UNIT_BYTES && headBytes((int) body) + body == fileBytes;
    }

    /** Bytes of the head of a block with a body of that length. */
    static int headBytes(int length) {
        return CHECKSUMS_AT + (ChunkChecksums.count(length) + 1) * Integer.BYTES;
    }

    static ByteBuf head(BlockHeader header, ByteBufAllocator allocator) {
        BlockId id = header.id();
        ByteBuf head = allocator
                .directBuffer(headBytes(header.length()))
                .writeLong(MAGIC | VERSION)
                .writeLong(id.generation().high())
                .writeLong(id.generation().low())
                .writeLong(id.stripe())
                .writeInt(id.unit())
                .writeInt(header.length());
        header.checksums().write(head);
        return head.writeInt(Checksum.of(head));
    }

    /**
     * Reads the head of a block's file.
     *
     * @param start the file's first {@link #MAX_HEAD_BYTES}, or all of it
     * @param fileBytes bytes of the file
     * @throws CorruptBlockException unless it is the head of {@code expected} and the body has the length it says
     */
    static BlockHeader readHead(ByteBuf start, long fileBytes, BlockId expected) throws CorruptBlockException {
        require(start.readableBytes() >= headBytes(0), expected, "it is cut off");
        long magic = start.getLong(start.readerIndex());
        require(magic >> Byte.SIZE == MAGIC >> Byte.SIZE, expected, "it is no block");
        int version = (int) magic & 0xFF;
        require(version == VERSION, expected, "it is of version " + version + ", this node reads version " + VERSION);
        int length = start.getInt(start.readerIndex() + LENGTH_AT);
        require(
                length >= 0
                        && length <= StripeGeometry.MAX_UNIT_BYTES
                        && headBytes(length) + (long) length == fileBytes,
                expected,
                "its body has not the length its head says");
        ByteBuf head = start.readSlice(headBytes(length) - Integer.BYTES);
        require(start.readInt() == Checksum.of(head), expected, "the head does not match its checksum");
        head.skipBytes(Long.BYTES);
        Generation generation = new Generation(head.readLong(), head.readLong());
        long stripe = head.readLong();
        int unit = head.readInt();
        require(
                generation.equals(expected.generation()) && stripe == expected.stripe() && unit == expected.unit(),
                expected,
                "it is another block");
        head.skipBytes(Integer.BYTES);
        return new BlockHeader(expected, length, ChunkChecksums.read(head, ChunkChecksums.count(length)));
    }

    /** Reads the head of a block's file. */
    static BlockHeader readHead(BlockFile file, BlockId expected, ByteBufAllocator allocator) throws IOException {
        ByteBuf start = file.read(0, MAX_HEAD_BYTES, allocator);
        try {
            return readHead(start, file.bytes(), expected);
        } finally {
            start.release();
        }
    }

    /** Reads a block's file and checks all of it. */
    static BlockHeader verify(BlockFile file, BlockId expected, ByteBufAllocator allocator) throws IOException {
        BlockHeader header = readHead(file, expected, allocator);
        ByteBuf body = file.read(headBytes(header.length()), header.length(), allocator);
        try {
            if (!header.matches(body)) {
                throw new CorruptBlockException(expected, "the body does not match its checksums");
            }
            return header;
        } finally {
            body.release();
        }
    }

    private static void require(boolean condition, BlockId id, String reason) throws CorruptBlockException {
        if (!condition) {
            throw new CorruptBlockException(id, reason);
        }
    }
}
