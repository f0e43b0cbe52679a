// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.storage.StoragePath;
import io.albm.storage.StripedWriter;
import io.albm.storage.fuse.Errno;
import io.albm.storage.fuse.ErrnoException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;

/**
 * A file on its way into the storage, from its start to its end. It is there for all others when it is committed: when a
 * program that has written closes or syncs it. After that it can be written to no more. Thread-safe.
 */
final class FileWriting implements OpenFile {
    private enum State {
        OPEN,
        COMMITTED,
        FAILED
    }

    private final StoragePath path;
    private final StripedWriter writer;
    private final Answers answers;
    private final Instant started = Instant.now();
    private ByteBuf stripe;
    private volatile long length;
    private State state = State.OPEN;

    FileWriting(StoragePath path, StripedWriter writer, Answers answers) {
        this.path = path;
        this.writer = writer;
        this.answers = answers;
        stripe = newStripe();
    }

    private ByteBuf newStripe() {
        return ByteBufAllocator.DEFAULT.directBuffer(0, writer.stripeBytes());
    }

    StoragePath path() {
        return path;
    }

    /** Bytes written by now; does not wait for the storage. */
    long length() {
        return length;
    }

    Instant started() {
        return started;
    }

    /** Appends. Fails with {@link Errno#EOPNOTSUPP} for any other offset than the end. */
    synchronized void write(long offset, ByteBuffer source) throws IOException, InterruptedException {
        if (state == State.FAILED) {
            throw new ErrnoException(Errno.EIO);
        }
        if (offset != length || state != State.OPEN) {
            throw new ErrnoException(Errno.EOPNOTSUPP);
        }
        while (source.hasRemaining()) {
            int count = Math.min(source.remaining(), writer.stripeBytes() - stripe.readableBytes());
            stripe.writeBytes(source.slice(source.position(), count));
            source.position(source.position() + count);
            length += count;
            if (stripe.readableBytes() == writer.stripeBytes()) {
                send();
            }
        }
    }

    private void send() throws IOException, InterruptedException {
        ByteBuf full = stripe;
        stripe = newStripe();
        try {
            answers.await(writer.append(full));
        } catch (IOException | InterruptedException failure) {
            fail();
            throw failure;
        }
    }

    /** What a program has written and now closes or syncs becomes visible. An empty file waits for its last descriptor. */
    synchronized void close() throws IOException, InterruptedException {
        if (length > 0) {
            commit();
        }
    }

    /** Makes the file durable and visible; once. */
    synchronized void commit() throws IOException, InterruptedException {
        if (state == State.FAILED) {
            throw new ErrnoException(Errno.EIO);
        }
        if (state == State.OPEN) {
            if (stripe.isReadable()) {
                send();
            }
            try {
                answers.await(writer.commit());
                state = State.COMMITTED;
            } catch (IOException | InterruptedException failure) {
                state = State.FAILED;
                throw failure;
            } finally {
                stripe.release();
            }
        }
    }

    /** The last descriptor is gone: what is not given up is committed. */
    synchronized void end() throws IOException, InterruptedException {
        if (state == State.OPEN) {
            commit();
        }
    }

    /**
     * Gives up what is not committed.
     *
     * @return whether there was anything to give up
     */
    synchronized boolean abandon() {
        boolean pending = state == State.OPEN;
        if (pending) {
            fail();
        }
        return pending;
    }

    private void fail() {
        state = State.FAILED;
        stripe.release();
        writer.abort();
    }
}
