// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.netty.channel.FileRegion;
import io.netty.channel.unix.FileDescriptor;
import io.netty.util.AbstractReferenceCounted;
import io.netty.util.ReferenceCounted;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;

/** A part of memory that goes out through a {@link PagePipe}; its owner is released when it was sent or given up. */
final class PageRegion extends AbstractReferenceCounted implements FileRegion {
    private final PagePipe pipe;
    private final FileDescriptor socket;
    private final long address;
    private final long bytes;
    private final ReferenceCounted owner;
    private long sent;

    PageRegion(PagePipe pipe, FileDescriptor socket, long address, long bytes, ReferenceCounted owner) {
        this.pipe = pipe;
        this.socket = socket;
        this.address = address;
        this.bytes = bytes;
        this.owner = owner;
    }

    @Override
    public long transferTo(WritableByteChannel sameSocket, long position) throws IOException {
        long moved = pipe.send(socket, address + position, bytes - position);
        sent += moved;
        return moved;
    }

    @Override
    public long position() {
        return 0;
    }

    @Override
    public long transferred() {
        return sent;
    }

    @Override
    @Deprecated
    public long transfered() {
        return sent;
    }

    @Override
    public long count() {
        return bytes;
    }

    @Override
    protected void deallocate() {
        owner.release();
    }

    @Override
    public FileRegion retain() {
        super.retain();
        return this;
    }

    @Override
    public FileRegion retain(int increment) {
        super.retain(increment);
        return this;
    }

    @Override
    public FileRegion touch() {
        return this;
    }

    @Override
    public FileRegion touch(Object hint) {
        return this;
    }
}
