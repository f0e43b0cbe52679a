// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ReferenceCounted;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Opens some blocks and cannot read their bodies, until other files take their place. */
final class BadSectors extends ForwardingDisk {
    private final Set<String> bad = ConcurrentHashMap.newKeySet();

    BadSectors(Path root) throws IOException {
        super(new LocalDisk(root));
    }

    /** All blocks that are there now. */
    void spoil() throws IOException {
        for (String generation : directories(BlockStore.BLOCKS)) {
            String directory = BlockStore.BLOCKS + "/" + generation;
            files(directory).forEach(file -> bad.add(directory + "/" + file.name()));
        }
    }

    @Override
    public BlockFile open(String name, Runnable closed) throws IOException {
        BlockFile file = super.open(name, closed);
        return bad.contains(name) ? new Unreadable(file) : file;
    }

    @Override
    public void rename(String from, String newName) throws IOException {
        super.rename(from, newName);
        bad.remove(newName);
    }

    private record Unreadable(BlockFile file) implements BlockFile {
        @Override
        public long bytes() {
            return file.bytes();
        }

        @Override
        public ByteBuf read(long position, int length, ByteBufAllocator allocator) throws IOException {
            if (position > 0) {
                throw new IOException("Input/output error");
            }
            return file.read(position, length, allocator);
        }

        @Override
        public ReferenceCounted send(long position, int length, ByteBufAllocator allocator) throws IOException {
            throw new IOException("Input/output error");
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
