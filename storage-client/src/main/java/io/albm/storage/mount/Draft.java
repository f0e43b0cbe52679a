// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.core.node.NodeId;
import io.albm.storage.Inode;
import io.albm.storage.Segment;
import io.albm.storage.SegmentWriter;
import io.albm.storage.StorageException;
import io.albm.storage.StripedFiles;
import io.albm.storage.StripedReader;
import io.albm.storage.TableCommand;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Set;
import java.util.function.BiFunction;

/**
 * Bytes on their way into the storage as a segment. Nobody sees them before they are committed. After a failure they are given
 * up. Not thread-safe.
 */
final class Draft {
    private final SegmentWriter writer;
    private final Answers answers;

    private Draft(SegmentWriter writer, Answers answers) {
        this.writer = writer;
        this.answers = answers;
    }

    /**
     * @param avoided nodes that it is not sent to
     * @param expectedBytes how many there will be at most
     * @param isFile whether they become a file alone
     */
    static Draft begin(StripedFiles files, Set<NodeId> avoided, long expectedBytes, boolean isFile, Answers answers)
            throws StorageException {
        return new Draft(files.segment(avoided, expectedBytes, isFile), answers);
    }

    /** Bytes by now. */
    long length() {
        return writer.length();
    }

    void append(ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            answers.finish(writer.append(source));
        }
    }

    /** What extents call it. */
    String generation() {
        return writer.generation();
    }

    /** Makes durable what was appended. Nothing can be appended any more. */
    void settle() throws IOException {
        answers.finish(writer.settle());
    }

    /** Appends to another one what was sent to the nodes, as these tell it. */
    void copyTo(Draft next) throws IOException {
        answers.finish(writer.end());
        StripedReader sent = writer.sent();
        for (long at = 0; at < sent.file().length(); at = next.length()) {
            StripedReader.Piece wanted = sent.pieceAt(at);
            ByteBuf piece = Answers.uninterrupted(() -> answers.read(() -> sent.read(wanted)));
            try {
                for (ByteBuffer part : piece.nioBuffers()) {
                    next.append(part);
                }
            } finally {
                piece.release();
            }
        }
    }

    /**
     * Makes it part of a file. To be called once, as the last. What did not become part of it in time is given up, which waits
     * for the table once more: the program is told so, and may store other bytes. What is in the table itself still can come
     * late ({@link SegmentWriter#giveUp}).
     */
    Inode commit(BiFunction<Segment, Long, TableCommand.Change> change) throws IOException {
        try {
            return answers.finish(writer.commit(change));
        } catch (IOException failure) {
            answers.waitFor(writer.giveUp());
            throw failure;
        }
    }

    /** Gives it up; does not wait. Instead of {@link #commit}. */
    void abandon() {
        writer.abort();
    }
}
