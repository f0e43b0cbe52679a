// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.storage.Inode;
import io.albm.storage.StripedWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * New content of a file on its way into the storage, from its start on. Nobody sees it before it is committed. After a
 * failure it is given up. Not thread-safe.
 */
final class Draft {
    private final StripedWriter writer;
    private final Answers answers;
    private ByteBuf stripe;
    private long length;

    Draft(StripedWriter writer, Answers answers) {
        this.writer = writer;
        this.answers = answers;
        stripe = newStripe();
    }

    private ByteBuf newStripe() {
        return ByteBufAllocator.DEFAULT.directBuffer(0, writer.stripeBytes());
    }

    /** Bytes by now. */
    long length() {
        return length;
    }

    void append(ByteBuffer source) throws IOException {
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

    private void send() throws IOException {
        ByteBuf full = stripe;
        stripe = newStripe();
        answers.finish(writer.append(full));
    }

    /** Makes it the file's content. To be called once, as the last. */
    Inode commit() throws IOException {
        try {
            if (stripe.isReadable()) {
                send();
            }
        } catch (IOException | RuntimeException | Error failure) {
            abandon();
            throw failure;
        }
        stripe.release();
        return answers.finish(writer.commit());
    }

    /** Gives it up; does not wait. Instead of {@link #commit}. */
    void abandon() {
        stripe.release();
        writer.abort();
    }
}
