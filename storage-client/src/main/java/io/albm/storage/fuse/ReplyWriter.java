// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;

/**
 * Writes one answer, in the order of {@code linux/fuse.h}. It may lie over the request, whose fields are read before the
 * first field of the answer is written.
 */
final class ReplyWriter {
    /** Bytes of {@code struct fuse_out_header}. */
    static final int HEADER_BYTES = 16;

    static final int ERROR_OFFSET = 4;

    private static final int ATTRIBUTE_BYTES = 88;
    private static final int SECTOR_BYTES = 512;

    private final ByteBuffer buffer;
    private final MountOptions options;

    /** @param buffer room for the longest answer, in native byte order */
    ReplyWriter(ByteBuffer buffer, MountOptions options) {
        this.buffer = buffer;
        this.options = options;
        buffer.clear().position(HEADER_BYTES);
    }

    /**
     * Ends an answer of success.
     *
     * @return its bytes
     */
    int done(long unique) {
        return header(buffer, buffer.position(), 0, unique);
    }

    /**
     * Makes it an answer of failure, whatever was written.
     *
     * @return its bytes
     */
    int failed(long unique, Errno errno) {
        return failed(buffer, unique, errno);
    }

    /**
     * Writes an answer of failure.
     *
     * @return its bytes
     */
    static int failed(ByteBuffer buffer, long unique, Errno errno) {
        return header(buffer, HEADER_BYTES, -errno.code(), unique);
    }

    /** Makes a message that answers nothing of what was written behind the header. */
    static void notice(ByteBuffer message, int code) {
        header(message, message.position(), code, 0);
        message.flip();
    }

    /** {@code struct fuse_out_header}. @return the length */
    static int header(ByteBuffer buffer, int length, int error, long unique) {
        buffer.putInt(0, length).putInt(ERROR_OFFSET, error).putLong(8, unique);
        return length;
    }

    ReplyWriter u16(int value) {
        buffer.putShort((short) value);
        return this;
    }

    ReplyWriter u32(int value) {
        buffer.putInt(value);
        return this;
    }

    ReplyWriter u64(long value) {
        buffer.putLong(value);
        return this;
    }

    ReplyWriter bytes(byte[] value) {
        buffer.put(value);
        return this;
    }

    /** Zeros up to a multiple of eight. */
    ReplyWriter pad() {
        while (buffer.position() % Long.BYTES != 0) {
            buffer.put((byte) 0);
        }
        return this;
    }

    /** Whether that many bytes are left. */
    boolean hasRoom(int bytes) {
        return buffer.remaining() >= bytes;
    }

    /** Lets the answer have at most that many bytes behind its header. */
    void limit(int bytes) throws ErrnoException {
        if (bytes < 0 || bytes > buffer.capacity() - HEADER_BYTES) {
            throw new ErrnoException(Errno.EINVAL);
        }
        buffer.limit(HEADER_BYTES + bytes);
    }

    /** The next bytes of the answer, for the file system to fill from their start. */
    ByteBuffer room(int bytes) throws ErrnoException {
        if (bytes < 0 || !hasRoom(bytes)) {
            throw new ErrnoException(Errno.EINVAL);
        }
        return buffer.slice(buffer.position(), bytes);
    }

    /** Takes what was filled of {@link #room} into the answer. */
    void fill(ByteBuffer room) {
        buffer.position(buffer.position() + room.position());
    }

    /** {@code struct fuse_entry_out}. */
    ReplyWriter entry(Attributes attributes) {
        u64(attributes.inode()).u64(0);
        u64(options.namesValid().toSeconds());
        u64(options.attributesValid().toSeconds());
        u32(options.namesValid().toNanosPart());
        u32(options.attributesValid().toNanosPart());
        return attributes(attributes);
    }

    /** An entry that says for how long there is no such name. */
    ReplyWriter absence() {
        u64(0).u64(0).u64(options.absenceValid().toSeconds()).u64(0);
        u32(options.absenceValid().toNanosPart()).u32(0);
        return zeros(ATTRIBUTE_BYTES);
    }

    /** {@code struct fuse_attr_out}. */
    ReplyWriter validAttributes(Attributes attributes) {
        Duration valid = options.attributesValid();
        u64(valid.toSeconds()).u32(valid.toNanosPart()).u32(0);
        return attributes(attributes);
    }

    private ReplyWriter attributes(Attributes from) {
        u64(from.inode()).u64(from.size());
        u64((from.allocatedBytes() + SECTOR_BYTES - 1) / SECTOR_BYTES);
        times(from.accessed(), from.modified(), from.changed());
        u32(from.mode()).u32(from.links()).u32(from.uid()).u32(from.gid()).u32(from.device());
        return u32(0).u32(0);
    }

    private void times(Instant accessed, Instant modified, Instant changed) {
        u64(accessed.getEpochSecond()).u64(modified.getEpochSecond()).u64(changed.getEpochSecond());
        u32(accessed.getNano()).u32(modified.getNano()).u32(changed.getNano());
    }

    ReplyWriter zeros(int bytes) {
        buffer.put(new byte[bytes]);
        return this;
    }
}
