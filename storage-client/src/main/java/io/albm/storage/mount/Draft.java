// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.storage.Inode;
import io.albm.storage.Segment;
import io.albm.storage.SegmentWriter;
import io.albm.storage.StripeBuffer;
import io.albm.storage.TableCommand;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.BiFunction;

/**
 * Bytes on their way into the storage as a segment. Nobody sees them before they are committed. After a failure they are given
 * up. Not thread-safe.
 */
final class Draft {
    private final SegmentWriter writer;
    private final Answers answers;
    private final StripeBuffer stripe;
    private long length;

    Draft(SegmentWriter writer, Answers answers) {
        this.writer = writer;
        this.answers = answers;
        stripe = writer.newStripe();
    }

    /** Bytes by now. */
    long length() {
        return length;
    }

    void append(ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            int before = source.remaining();
            stripe.write(source);
            length += before - source.remaining();
            if (stripe.isFull()) {
                send();
            }
        }
    }

    private void send() throws IOException {
        answers.finish(writer.append(stripe.take()));
    }

    /** What extents call it. */
    String generation() {
        return writer.generation();
    }

    /** Makes it part of a file. To be called once, as the last. */
    Inode commit(BiFunction<Segment, Long, TableCommand.Change> change) throws IOException {
        try {
            if (!stripe.isEmpty()) {
                send();
            }
        } catch (IOException | RuntimeException | Error failure) {
            abandon();
            throw failure;
        }
        return answers.finish(writer.commit(change));
    }

    /** Gives it up; does not wait. Instead of {@link #commit}. */
    void abandon() {
        stripe.release();
        writer.abort();
    }
}
