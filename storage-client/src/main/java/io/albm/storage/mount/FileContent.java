// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.storage.Content;
import io.albm.storage.Inode;
import io.albm.storage.StripedFiles;
import io.albm.storage.fuse.Errno;
import io.albm.storage.fuse.ErrnoException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The content of a file: what is stored, and what was written over it since.
 *
 * <p>What is written is held in memory as {@link Changes}. From some size on, what was written without a gap from the start
 * of the file is {@linkplain SentAhead sent ahead}, until something else is asked of the file than writing on. Storing writes
 * the changed ranges, and them alone, as a segment of their own. After a failure to store, what was not stored is lost, and every
 * operation fails as that did.
 *
 * <p>Not thread-safe.
 */
final class FileContent {
    /** Bytes written from the start of a file before they are sent ahead. */
    private static final int SEND_AHEAD_BYTES = 4 << 20;

    /** Places that were changed, beyond which they are stored: the table takes so many at once. */
    private static final int MOST_PLACES = 1000;

    private final StripedFiles files;
    private final Answers answers;
    private final Lockers lockers;
    private @Nullable Inode stored;
    private @Nullable FileReading reading;
    private Changes changes;
    private @Nullable SentAhead draft;
    private @Nullable IOException failure;
    private Instant modified = Instant.EPOCH;
    private long changesOfOthers;

    /**
     * To be {@linkplain #adopt told} what is stored before anything else.
     *
     * @param lockers on whose locks its changes rest
     */
    FileContent(StripedFiles files, Answers answers, Lockers lockers) {
        this.lockers = lockers;
        this.files = files;
        this.answers = answers;
        changes = noChanges(0);
    }

    private Changes noChanges(long storedBytes) {
        return new Changes(storedBytes, files.memory().allocator());
    }

    /** Takes over what others have stored, unless there are changes. */
    void adopt(Inode now) {
        if (!learn(now) && isSaved()) {
            changesOfOthers += stored == null ? 0 : 1;
            settle(now);
        }
    }

    /** How often others were seen to have changed the file; those who read it before may have something old. */
    long changesOfOthers() {
        return changesOfOthers;
    }

    /** Takes over attributes. @return false if they are those of other content */
    boolean learn(Inode now) {
        boolean same = stored != null && Objects.equals(stored.content(), now.content());
        if (same) {
            stored = now;
        }
        return same;
    }

    private void settle(Inode now) {
        close();
        stored = now;
        draft = null;
        changes.release();
        changes = noChanges(now.size());
    }

    Inode stored() {
        return Objects.requireNonNull(stored);
    }

    boolean isSaved() {
        return draft == null && changes.isEmpty();
    }

    /** Bytes of the file by now. */
    long size() {
        return draft == null ? changes.size() : draft.length();
    }

    /** When it was last written here. */
    Instant modified() {
        return modified;
    }

    /** Memory that the changes take. */
    long heldBytes() {
        return draft == null ? changes.heldBytes() : 0;
    }

    /** Reads into {@code target}, if there are changes. @return what is to be read if there are none; null if it is done */
    @Nullable
    FileReading read(long offset, ByteBuffer target) throws IOException, InterruptedException {
        checkFailure();
        if (offset >= size()) {
            return null;
        }
        storeDraft();
        if (changes.isEmpty()) {
            return reading();
        }
        changes.read(offset, target, (from, part) -> reading().read(from, part));
        return null;
    }

    /**
     * Where the next data, or the next hole, is from an offset on, as reading would find it. A hole is what surely nobody has
     * written: while there are changes, all is data.
     *
     * @param hole whether a hole is looked for; the end of the file counts as one
     * @param mayBeWritten whether more may have been written than was told; all is data then, too
     */
    long seek(long offset, boolean hole, boolean mayBeWritten) throws IOException {
        checkFailure();
        if (offset >= size()) {
            throw new ErrnoException(Errno.ENXIO);
        }
        if (mayBeWritten || !isSaved()) {
            return hole ? size() : offset;
        }
        long found = reading().seek(offset, hole);
        if (!hole && found == size()) {
            throw new ErrnoException(Errno.ENXIO);
        }
        return found;
    }

    boolean isCurrent(FileReading read) {
        return read == reading;
    }

    /** A {@link ChangeWriter} reads by several threads. */
    private synchronized FileReading reading() {
        if (reading == null) {
            Content content = Objects.requireNonNull(stored().content());
            reading = new FileReading(files.reader(stored()), content, files.memory(), answers);
        }
        return reading;
    }

    void write(long offset, ByteBuffer source) throws IOException, InterruptedException {
        checkFailure();
        if (draft != null && draft.length() != offset) {
            store();
        }
        modified = Instant.now();
        if (draft != null) {
            append(draft, source);
            return;
        }
        changes.write(offset, source);
        relieveIfScattered();
        if (draft == null && changes.isWhole() && changes.heldBytes() >= SEND_AHEAD_BYTES) {
            sendAhead();
        }
    }

    private void append(SentAhead to, ByteBuffer source) throws IOException {
        try {
            to.append(source);
        } catch (IOException | RuntimeException | Error e) {
            fail(e);
            throw e;
        }
    }

    /**
     * Makes zeros of a range.
     *
     * @param keepsSize only up to the end of the file
     */
    void zero(long offset, long length, boolean keepsSize) throws IOException, InterruptedException {
        checkFailure();
        long count = keepsSize ? Math.min(length, size() - offset) : length;
        if (count > 0) {
            storeDraft();
            modified = Instant.now();
            changes.zero(offset, count);
            relieveIfScattered();
        }
    }

    /** Cuts the file off, or makes it longer by zeros. @return whether that changed anything */
    boolean resize(long newSize) throws IOException, InterruptedException {
        checkFailure();
        if (newSize == size()) {
            return false;
        }
        if (newSize == 0) {
            discard();
        } else {
            storeDraft();
        }
        modified = Instant.now();
        changes.resize(newSize);
        return true;
    }

    private void checkFailure() throws IOException {
        if (failure != null) {
            throw failure;
        }
    }

    /** Gives up what is not stored, and fails from now on. */
    void fail(Throwable cause) {
        failure = cause instanceof IOException io ? io : new IOException(cause);
        discard();
    }

    /** Gives up what is not stored. */
    void discard() {
        if (draft != null) {
            draft.abandon();
        }
        if (stored != null) {
            settle(stored);
        }
    }

    /** Gives memory back: what was written from the start on is sent ahead, other changes are stored. */
    void relieve() throws IOException, InterruptedException {
        if (changes.isWhole()) {
            sendAhead();
        } else {
            store();
        }
    }

    private void relieveIfScattered() throws IOException, InterruptedException {
        if (changes.hasMorePlacesThan(MOST_PLACES)) {
            relieve();
        }
    }

    private void sendAhead() throws IOException, InterruptedException {
        try {
            draft = writer().sendAhead();
        } catch (IOException | RuntimeException | Error e) {
            fail(e);
            throw e;
        }
        changes.release();
        changes = noChanges(0);
    }

    private void storeDraft() throws IOException, InterruptedException {
        if (draft != null) {
            store();
        }
    }

    /** Stores what is not stored. */
    void save() throws IOException, InterruptedException {
        checkFailure();
        if (!isSaved()) {
            store();
        }
    }

    private void store() throws IOException, InterruptedException {
        SentAhead whole = draft;
        draft = null;
        ChangeWriter writer = writer();
        try {
            Inode now = whole == null ? writer.store() : whole.commit(writer.replacing());
            changesOfOthers += writer.hasMetOthers(now) ? 1 : 0;
            settle(now);
        } catch (IOException | RuntimeException | Error e) {
            fail(e);
            throw e;
        }
    }

    private ChangeWriter writer() {
        return new ChangeWriter(
                files,
                answers,
                stored(),
                changes,
                (offset, target) -> reading().read(offset, target),
                lockers.client());
    }

    /** Whoever is still reading goes on, and nothing is kept in memory for reading. */
    void close() {
        if (reading != null) {
            reading.close();
            reading = null;
        }
    }
}
