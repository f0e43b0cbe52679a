// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.storage.Inode;
import io.albm.storage.Segment;
import io.albm.storage.StorageException;
import io.albm.storage.StripedFiles;
import io.albm.storage.TableCommand;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.BiFunction;

/**
 * A file that is sent into the storage while it is written, of which nothing is kept here. If a node is lost meanwhile,
 * what was sent is read from the others, where parity tells what the node had, and written anew over them. Not thread-safe.
 */
final class SentAhead {
    private static final long LONG_AGO_BYTES = 1 << 20;

    private final StripedFiles files;
    private final Answers answers;
    private AvoidedNodes avoided;
    private Draft draft;
    private long movedAt;

    /** @param avoided nodes that {@code draft} leaves out */
    SentAhead(StripedFiles files, Answers answers, AvoidedNodes avoided, Draft draft) {
        this.files = files;
        this.answers = answers;
        this.avoided = avoided;
        this.draft = draft;
        this.movedAt = draft.length();
    }

    /** Bytes by now. */
    long length() {
        return draft.length();
    }

    void append(ByteBuffer source) throws IOException {
        while (source.hasRemaining()) {
            try {
                draft.append(source);
            } catch (StorageException failure) {
                move(failure);
            }
        }
    }

    /** Makes it part of a file. To be called once, as the last. */
    Inode commit(BiFunction<Segment, Long, TableCommand.Change> change) throws IOException {
        try {
            settle();
        } catch (IOException | RuntimeException | Error failure) {
            abandon();
            throw failure;
        }
        return draft.commit(change);
    }

    private void settle() throws IOException {
        while (true) {
            try {
                draft.settle();
                return;
            } catch (StorageException failure) {
                move(failure);
            }
        }
    }

    /** Nodes that failed long ago are not left out any more: a file may be written for longer than it takes to start all anew. */
    private void move(StorageException failure) throws IOException {
        if (draft.length() - movedAt > LONG_AGO_BYTES) {
            avoided = new AvoidedNodes();
        }
        moveWithout(failure);
    }

    /** Another node may have been lost with the first one: that shows when it is written to. */
    private void moveWithout(StorageException failure) throws IOException {
        avoided.add(failure);
        try {
            move();
        } catch (StorageException another) {
            moveWithout(another);
        }
    }

    private void move() throws IOException {
        Draft next = Draft.begin(files, avoided.nodes(), Long.MAX_VALUE, true, answers);
        boolean isWhole = false;
        try {
            draft.copyTo(next);
            isWhole = true;
        } finally {
            (isWhole ? draft : next).abandon();
        }
        draft = next;
        movedAt = draft.length();
    }

    /** Gives it up; does not wait. Instead of {@link #commit}. */
    void abandon() {
        draft.abandon();
    }
}
