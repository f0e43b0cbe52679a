// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.storage.BlockId;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ReferenceCounted;
import java.io.IOException;

/**
 * The open file of a block. What the disk cannot read of it is as lost as what it reads wrong, and is told as that: so the
 * block is made again from its stripe, in another place of the disk.
 */
record StoredBlockFile(BlockId id, BlockFile file) implements BlockFile {
    @Override
    public long bytes() {
        return file.bytes();
    }

    @Override
    public ByteBuf read(long position, int length, ByteBufAllocator allocator) throws IOException {
        try {
            return file.read(position, length, allocator);
        } catch (IOException failure) {
            throw unreadable(failure);
        }
    }

    @Override
    public ReferenceCounted send(long position, int length, ByteBufAllocator allocator) throws IOException {
        try {
            return file.send(position, length, allocator);
        } catch (IOException failure) {
            throw unreadable(failure);
        }
    }

    private CorruptBlockException unreadable(IOException failure) {
        return new CorruptBlockException(id, "it cannot be read: " + failure.getMessage());
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
