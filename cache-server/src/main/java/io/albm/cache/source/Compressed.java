// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.source;

import io.netty.buffer.ByteBuf;

/** A document that was compressed when it was opened. Gives its memory back when it is closed. */
final class Compressed implements OpenDocument {

    private final Version version;
    private final ByteBuf content;
    private final WorkingMemory memory;
    private boolean closed;

    /**
     * @param version of the document that it was made of
     * @param content whose capacity is reserved in {@code memory}
     */
    Compressed(Version version, ByteBuf content, WorkingMemory memory) {
        this.version = version;
        this.content = content;
        this.memory = memory;
    }

    @Override
    public Version version() {
        return version;
    }

    @Override
    public long bytes() {
        return content.readableBytes();
    }

    @Override
    public boolean isMade() {
        return true;
    }

    @Override
    public void read(ByteBuf into, long position, int bytes) {
        into.writeBytes(content, (int) position, bytes);
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            int bytes = content.capacity();
            content.release();
            memory.free(bytes);
        }
    }
}
