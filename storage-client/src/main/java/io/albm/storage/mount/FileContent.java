// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.core.node.NodeId;
import io.albm.storage.Content;
import io.albm.storage.Extent;
import io.albm.storage.Inode;
import io.albm.storage.Segment;
import io.albm.storage.StorageException;
import io.albm.storage.StripedFiles;
import io.albm.storage.TableCommand;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
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

    private static final int COPY_BYTES = 1 << 20;

    /** Extents of a file, beyond which it is copied to one piece. */
    private static final int MOST_EXTENTS = 400;

    /** Bytes in segments that nobody sees any more, beside as many as there are that somebody sees. */
    private static final long MOST_WASTE = 64 << 20;

    private final StripedFiles files;
    private final Answers answers;
    private @Nullable Inode stored;
    private @Nullable FileReading reading;
    private Changes changes = new Changes(0);
    private @Nullable SentAhead draft;
    private @Nullable IOException failure;
    private Instant modified = Instant.EPOCH;

    /** To be {@linkplain #adopt told} what is stored before anything else. */
    FileContent(StripedFiles files, Answers answers) {
        this.files = files;
        this.answers = answers;
    }

    /** Takes over what others have stored, unless there are changes. */
    void adopt(Inode now) {
        if (!learn(now) && isSaved()) {
            settle(now);
        }
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
        changes = new Changes(now.size());
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

    boolean isCurrent(FileReading read) {
        return read == reading;
    }

    private FileReading reading() {
        if (reading == null) {
            Content content = Objects.requireNonNull(stored().content());
            reading = new FileReading(files.reader(stored()), content, answers);
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
        if (changes.isWhole() && changes.heldBytes() >= SEND_AHEAD_BYTES) {
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

    private void fail(Throwable cause) {
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

    private void sendAhead() throws IOException, InterruptedException {
        try {
            draft = copied();
        } catch (IOException | RuntimeException | Error e) {
            fail(e);
            throw e;
        }
        changes = new Changes(0);
    }

    private SentAhead copied() throws IOException, InterruptedException {
        AvoidedNodes avoided = new AvoidedNodes();
        while (true) {
            try {
                return new SentAhead(files, answers, avoided, copied(avoided.nodes()));
            } catch (StorageException failure) {
                avoided.add(failure);
            }
        }
    }

    /** The whole file with its changes on its way into the storage. */
    private Draft copied(Set<NodeId> avoided) throws IOException, InterruptedException {
        Draft next = Draft.begin(files, avoided, answers);
        boolean isWhole = false;
        try {
            copyTo(next);
            isWhole = true;
            return next;
        } finally {
            if (!isWhole) {
                next.abandon();
            }
        }
    }

    private void copyTo(Draft next) throws IOException, InterruptedException {
        ByteBuffer part = ByteBuffer.allocate((int) Math.min(changes.size(), COPY_BYTES));
        while (next.length() < changes.size()) {
            changes.read(
                    next.length(), part.clear(), (from, target) -> reading().read(from, target));
            next.append(part.flip());
        }
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
        try {
            settle(whole == null ? storeChanges() : whole.commit(this::replacing));
        } catch (IOException | RuntimeException | Error e) {
            fail(e);
            throw e;
        }
    }

    /** The segment is the file. */
    private TableCommand.Change replacing(Segment segment, long crc32c) {
        return new TableCommand.Change(
                stored().number(),
                0L,
                List.of(),
                segment,
                Content.of(segment, crc32c).extents(),
                crc32c,
                segment.length(),
                false);
    }

    /** What is in memory until it is stored can be stored over other nodes if one does not do its part. */
    private Inode storeChanges() throws IOException, InterruptedException {
        AvoidedNodes avoided = new AvoidedNodes();
        while (true) {
            try {
                return storeChanges(avoided.nodes());
            } catch (StorageException failure) {
                avoided.add(failure);
            }
        }
    }

    private Inode storeChanges(Set<NodeId> avoided) throws IOException, InterruptedException {
        if (isWorthCopying()) {
            return copied(avoided).commit(this::replacing);
        }
        if (changes.holes().size() == changes.count()) {
            return answers.finish(files.change(changing(null, List.of(), 0)));
        }
        List<Extent> ranges = new ArrayList<>();
        return changed(ranges, avoided).commit((segment, crc32c) -> changing(segment, ranges, crc32c));
    }

    /** The changed bytes on their way into the storage, and where they belong. */
    private Draft changed(List<Extent> ranges, Set<NodeId> avoided) throws IOException {
        Draft next = Draft.begin(files, avoided, answers);
        boolean isWhole = false;
        try {
            changes.give((offset, bytes) -> {
                ranges.add(new Extent(offset, bytes.remaining(), next.generation(), next.length()));
                next.append(bytes);
            });
            isWhole = true;
            return next;
        } finally {
            if (!isWhole) {
                next.abandon();
            }
        }
    }

    private TableCommand.Change changing(@Nullable Segment segment, List<Extent> ranges, long crc32c) {
        return new TableCommand.Change(
                stored().number(),
                changes.kept() < stored().size() ? changes.kept() : null,
                changes.holes(),
                segment,
                ranges,
                crc32c,
                changes.isResized() ? changes.size() : null,
                false);
    }

    /** Whether the file would be in many pieces, or hold much more than it shows. */
    private boolean isWorthCopying() {
        Content content = Objects.requireNonNull(stored().content());
        return changes.size() > 0
                && (content.extents().size() + 2 * changes.count() > MOST_EXTENTS
                        || (content.storedBytes() - MOST_WASTE) / 2 > changes.size());
    }

    /** Whoever is still reading goes on, and nothing is kept in memory for reading. */
    void close() {
        if (reading != null) {
            reading.close();
            reading = null;
        }
    }
}
