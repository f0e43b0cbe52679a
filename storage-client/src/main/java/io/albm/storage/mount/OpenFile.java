// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.storage.Inode;
import io.albm.storage.StripedFiles;
import io.albm.storage.TableQuery;
import io.albm.storage.fuse.Errno;
import io.albm.storage.fuse.ErrnoException;
import io.albm.storage.fuse.FileMode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A regular file that is open here, whatever handles it is open by. Thread-safe: operations on its {@link FileContent} wait
 * for each other, but for reads of a file that has no changes.
 */
final class OpenFile {
    private static final Logger log = LoggerFactory.getLogger(OpenFile.class);
    private static final long NOTHING_DROPPED = -1;

    private final long number;
    private final Answers answers;
    private final Versions versions;
    private final ShownSizes sizes;
    private final AtomicLong heldByAll;
    private final Lockers lockers = new Lockers();
    private final FileContent content;
    private final AtomicInteger writers = new AtomicInteger();
    private volatile boolean nameless;
    private volatile boolean appended;
    private long dropped;
    private volatile @Nullable Unsaved unsaved;
    private volatile long held;

    /** How many handles there are; guarded by {@link OpenFiles}. */
    int users;

    /** @param heldByAll memory that the changes of all files take */
    OpenFile(
            long number,
            StripedFiles files,
            Answers answers,
            Versions versions,
            ShownSizes sizes,
            AtomicLong heldByAll) {
        this.number = number;
        this.answers = answers;
        this.versions = versions;
        this.sizes = sizes;
        this.heldByAll = heldByAll;
        content = new FileContent(files, answers, lockers);
    }

    long number() {
        return number;
    }

    Lockers lockers() {
        return lockers;
    }

    /** What is not stored yet; null if all is. Does not wait. */
    @Nullable
    Unsaved unsaved() {
        return unsaved;
    }

    /** Memory that the changes take. Does not wait. */
    long held() {
        return held;
    }

    /** Shows what an operation has left, whether it failed or not. */
    private void show() {
        heldByAll.addAndGet(content.heldBytes() - held);
        held = content.heldBytes();
        if (!content.isSaved()) {
            unsaved = new Unsaved(content.size(), content.modified());
        } else if (unsaved != null) {
            versions.stored(number);
            unsaved = null;
        }
    }

    /** The kernel counts along with what it writes. */
    private void showSize() {
        sizes.show(number, content.size());
    }

    /** Takes over what others have stored, unless there are changes here. */
    synchronized void refresh() throws IOException, InterruptedException {
        content.adopt(answers.ask(new TableQuery.Get(number)).inode());
    }

    /** As {@link #refresh} with what the table has answered, since when the content has not changed. */
    synchronized void adopt(Inode now) {
        content.adopt(now);
    }

    /** Takes over attributes, if they are those of the same content. */
    synchronized void learn(Inode now) {
        content.learn(now);
    }

    /** Whether writing by somebody without privileges has to take set-id bits away. */
    synchronized boolean hasSetIds() {
        int mode = content.stored().mode();
        return FileMode.withoutSetIds(mode) != mode;
    }

    /** Bytes by now. */
    synchronized long size() {
        return content.size();
    }

    void read(long offset, ByteBuffer target) throws IOException, InterruptedException {
        int start = target.position();
        FileReading unchanged = readChanged(offset, target);
        while (unchanged != null) {
            try {
                unchanged.read(offset, target);
                return;
            } catch (ErrnoException replaced) {
                if (replaced.errno() != Errno.ESTALE || isCurrent(unchanged)) {
                    throw replaced;
                }
            }
            target.position(start);
            unchanged = readChanged(offset, target);
        }
    }

    /** Reads, unless that can be done without holding up others. @return what is to be read then; null if it is done */
    private synchronized @Nullable FileReading readChanged(long offset, ByteBuffer target)
            throws IOException, InterruptedException {
        try {
            return content.read(offset, target);
        } finally {
            show();
        }
    }

    private synchronized boolean isCurrent(FileReading read) {
        return content.isCurrent(read);
    }

    /** A handle may write to it from now on, also through pages that the kernel tells of only when it lets go of the handle. */
    void addWriter() {
        writers.incrementAndGet();
    }

    /** The kernel has told all that was written by a handle, and that is stored or given up. */
    void removeWriter() {
        writers.decrementAndGet();
    }

    /**
     * See {@link FileContent#seek}. If the kernel may think that the file has another size, others have changed it, and what is
     * behind the end that it had is no hole: then this takes over what they have stored.
     */
    synchronized long seek(long offset, boolean hole) throws IOException, InterruptedException {
        if (!sizes.isKnown(number, content.size())) {
            refresh();
        }
        return content.seek(offset, hole, writers.get() > 0);
    }

    synchronized void write(long offset, ByteBuffer source) throws IOException, InterruptedException {
        try {
            content.write(offset, source);
        } finally {
            showSize();
            show();
        }
    }

    /**
     * Appends, where the kernel has been told where the end is. It may not have heard of what others have appended.
     *
     * @param end the end as the kernel knows it
     * @return whether that is where the bytes are
     */
    synchronized boolean append(long end, ByteBuffer source) throws IOException, InterruptedException {
        appended = true;
        boolean isMisplaced = content.changesOfOthers() > 0 && content.size() != end;
        int count = source.remaining();
        write(isMisplaced ? content.size() : end, source);
        if (isMisplaced) {
            dropped = NOTHING_DROPPED;
            sizes.show(number, end + count);
        }
        return !isMisplaced;
    }

    /** Somebody appends to it. */
    void appends() {
        appended = true;
    }

    boolean isAppended() {
        return appended;
    }

    /** How often others were seen to have changed it. */
    synchronized long changesOfOthers() {
        return content.changesOfOthers();
    }

    /** Whether the kernel has dropped what it had when others had changed the file so often. */
    synchronized boolean isDropped(long changesOfOthers) {
        return dropped == changesOfOthers;
    }

    synchronized void dropped(long changesOfOthers) {
        dropped = changesOfOthers;
    }

    /** Stores what is not stored, and takes over what others have. */
    synchronized void renew() throws IOException, InterruptedException {
        save();
        refresh();
    }

    /** The locks that it had before a session of the client are over, and others may have written what is written here. */
    synchronized void loseLocks(String session) {
        if (lockers.areLost(session)) {
            log.warn(
                    "this client was cut off for too long; its locks on inode {} are over, and using it fails", number);
            content.fail(new IOException(
                    "inode " + number + ": the client was cut off for too long, and its locks are over"));
            show();
        }
    }

    /** See {@link FileContent#zero}. */
    synchronized void zero(long offset, long length, boolean keepsSize) throws IOException, InterruptedException {
        try {
            content.zero(offset, length, keepsSize);
        } finally {
            showSize();
            show();
        }
    }

    /** See {@link FileContent#resize}. */
    synchronized boolean resize(long newSize) throws IOException, InterruptedException {
        try {
            return content.resize(newSize);
        } finally {
            showSize();
            show();
        }
    }

    /** Gives memory back: what is held of the file is on its way into the storage. Of a failure those hear who use the file. */
    synchronized void relieve() throws InterruptedException {
        try {
            if (content.heldBytes() > 0) {
                content.relieve();
            }
        } catch (IOException kept) {
            log.debug("inode {} could not be sent ahead", number, kept);
        } finally {
            show();
        }
    }

    /** Stores what is not stored, unless nobody can ever see it. */
    synchronized void save() throws IOException, InterruptedException {
        try {
            if (!nameless) {
                content.save();
            }
        } finally {
            show();
        }
    }

    /** The file has lost its last name; it is there for those who have it open. */
    void loseName() {
        nameless = true;
    }

    /** Gives up what is not stored. @return whether the file has lost its last name */
    synchronized boolean end() {
        content.discard();
        content.close();
        show();
        return nameless;
    }
}
