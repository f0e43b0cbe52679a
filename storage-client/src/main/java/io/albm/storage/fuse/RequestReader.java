// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;

/**
 * Reads the fields of one request, in the order of {@code linux/fuse.h}. A request that ends too early fails with
 * {@link Errno#EINVAL}.
 */
final class RequestReader {
    /** Bytes of {@code struct fuse_in_header}. */
    static final int HEADER_BYTES = 40;

    static final int OPCODE_OFFSET = 4;
    static final int UNIQUE_OFFSET = 8;
    static final int PID_OFFSET = 32;

    /** Bytes of a name; the kernel lets longer ones through. */
    static final int MAX_NAME_BYTES = 255;

    private final ByteBuffer buffer;
    private final int length;
    private final int opcode;
    private final long unique;
    private final long node;
    private final Caller caller;

    /** @param buffer the request from its start to its limit, in native byte order, at least a header */
    RequestReader(ByteBuffer buffer) {
        this.buffer = buffer;
        length = buffer.getInt();
        opcode = buffer.getInt();
        unique = buffer.getLong();
        node = buffer.getLong();
        caller = new Caller(buffer.getInt(), buffer.getInt(), buffer.getInt());
        buffer.position(HEADER_BYTES);
    }

    /** Whether the request is as long as it says. */
    boolean isWhole() {
        return length == buffer.limit();
    }

    /** What is asked; any number. */
    int opcode() {
        return opcode;
    }

    /** Which request this is; the answer repeats it. */
    long unique() {
        return unique;
    }

    /** The inode that is asked about. */
    long node() {
        return node;
    }

    Caller caller() {
        return caller;
    }

    int u32() throws ErrnoException {
        checked(Integer.BYTES);
        return buffer.getInt();
    }

    long u64() throws ErrnoException {
        checked(Long.BYTES);
        return buffer.getLong();
    }

    void skip(int bytes) throws ErrnoException {
        buffer.position(buffer.position() + checked(bytes));
    }

    /** An offset, length or size; those beyond 63 bits are wrong. */
    long offset() throws ErrnoException {
        long value = u64();
        if (value < 0) {
            throw new ErrnoException(Errno.EINVAL);
        }
        return value;
    }

    /** A time of seconds and nanoseconds that lie apart. */
    static Instant instant(long seconds, int nanos) throws ErrnoException {
        try {
            return Instant.ofEpochSecond(seconds, nanos);
        } catch (DateTimeException | ArithmeticException e) {
            throw new ErrnoException(Errno.EINVAL);
        }
    }

    /** A name in a directory, or of an attribute. */
    String name() throws ErrnoException {
        byte[] bytes = string();
        if (bytes.length > MAX_NAME_BYTES) {
            throw new ErrnoException(Errno.ENAMETOOLONG);
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new ErrnoException(Errno.EILSEQ);
        }
    }

    /** Bytes up to the next zero, and past it. */
    byte[] string() throws ErrnoException {
        int length = 0;
        while (buffer.get(buffer.position() + checked(length + 1) - 1) != 0) {
            length++;
        }
        byte[] bytes = bytes(length);
        skip(1);
        return bytes;
    }

    /** The next bytes, as a copy. */
    byte[] bytes(int count) throws ErrnoException {
        byte[] bytes = new byte[checked(count)];
        buffer.get(bytes);
        return bytes;
    }

    /** The next bytes where they are, valid until the answer is written. */
    ByteBuffer slice(int count) throws ErrnoException {
        ByteBuffer slice = buffer.slice(buffer.position(), checked(count));
        buffer.position(buffer.position() + count);
        return slice;
    }

    private int checked(int count) throws ErrnoException {
        if (count < 0 || count > buffer.remaining()) {
            throw new ErrnoException(Errno.EINVAL);
        }
        return count;
    }
}
