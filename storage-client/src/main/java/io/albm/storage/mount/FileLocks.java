// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.storage.LockOwner;
import io.albm.storage.LockRange;
import io.albm.storage.RangeLock;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import io.albm.storage.fuse.Errno;
import io.albm.storage.fuse.ErrnoException;
import io.albm.storage.fuse.KernelCache;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The locks of the programs here. They are the file table's, so that they hold among all clients, and whoever has one sees what those
 * who had it before have written: that is stored before a lock is given back, and looked for when one was taken. What
 * the kernel keeps of the file is dropped if others have changed it.
 *
 * <p>Locks end with the client's session. A client that was cut off learns of that from the first answer in the next one: then
 * files on which it had locks fail until they are closed, and nothing is stored of what was written under these. Thread-safe.
 */
final class FileLocks {
    private static final Logger log = LoggerFactory.getLogger(FileLocks.class);

    private final Answers answers;
    private final OpenFiles open;
    private final ShownSizes sizes;
    private final UnreleasedLocks unreleased;
    private final Semaphore heldQuestions = new Semaphore(LockWait.MOST_HELD);
    private volatile KernelCache kernel = KernelCache.NONE;
    private final AtomicReference<String> session = new AtomicReference<>("");

    FileLocks(Answers answers, OpenFiles open, ShownSizes sizes) {
        this.answers = answers;
        this.open = open;
        this.sizes = sizes;
        this.unreleased = new UnreleasedLocks(answers);
    }

    /** There is a kernel that keeps something of files. */
    void begin(KernelCache cache) {
        kernel = cache;
    }

    /** As {@link io.albm.storage.fuse.InodeFileSystem#lock}. Not to be called by a thread that others' reads and writes need. */
    boolean lock(OpenFiles.Handle by, RangeLock wanted, Duration patience) throws IOException, InterruptedException {
        unreleased.giveBack(by.file().number(), wanted.owner());
        if (take(by, wanted)) {
            return true;
        }
        LockWait wait = new LockWait(answers, heldQuestions, patience);
        if (wanted.owner().kind() == LockOwner.Kind.FLOCK && !patience.isZero()) {
            // As flock(2): two who have shared locks and want exclusive ones would wait for each other.
            unlock(by, wanted.owner(), LockRange.ALL);
        }
        while (wait.untilFree(by.file().number(), wanted)) {
            if (take(by, wanted)) {
                return true;
            }
        }
        return false;
    }

    private boolean take(OpenFiles.Handle by, RangeLock wanted) throws IOException {
        if (!ask(by, wanted)) {
            return false;
        }
        OpenFile file = by.file();
        try {
            Answers.uninterrupted(() -> lookAgain(file));
        } catch (IOException | RuntimeException | Error failure) {
            giveBack(file, wanted.owner(), wanted.range());
            throw failure;
        }
        return true;
    }

    private boolean ask(OpenFiles.Handle by, RangeLock wanted) throws IOException {
        Lockers lockers = by.file().lockers();
        String client = null;
        lockers.ask(wanted.owner(), by.number());
        try {
            client = change(new TableCommand.Lock(by.file().number(), wanted)).client();
            // Another thread may have been the first to hear of the session, and not have come to this file yet.
            by.file().loseLocks(client);
            return true;
        } catch (ErrnoException refused) {
            if (refused.errno() == Errno.EAGAIN) {
                return false;
            }
            throw refused;
        } finally {
            lockers.answered(wanted.owner(), client);
        }
    }

    /** Changes locks, in whatever session the client has now. */
    private TableAnswer.Locks change(TableCommand<TableAnswer.Locks> command) throws IOException {
        TableAnswer.Locks locks = answers.finish(answers.table().ask(command));
        String before = session.getAndSet(locks.client());
        if (!before.equals(locks.client())) {
            open.all().forEach(file -> file.loseLocks(locks.client()));
        }
        return locks;
    }

    private boolean lookAgain(OpenFile file) throws IOException, InterruptedException {
        file.renew();
        dropOld(file);
        return true;
    }

    /** Waits until the kernel keeps nothing of a file that is older than what is known here. */
    private void dropOld(OpenFile file) throws IOException, InterruptedException {
        long changes = file.changesOfOthers();
        if (file.isDropped(changes)) {
            return;
        }
        long size = file.size();
        ByteBuffer last = ByteBuffer.allocate(1);
        if (file.isAppended() && size > 0 && !sizes.isKnown(file.number(), size)) {
            file.read(size - 1, last);
        }
        answers.finish(
                last.hasRemaining() ? kernel.drop(file.number()) : kernel.grow(file.number(), size, last.get(0)));
        file.dropped(changes);
    }

    /** What was appended here went elsewhere than the kernel thinks. */
    void misplaced(OpenFile file) {
        CompletableFuture<Void> _ = kernel.drop(file.number());
    }

    /** Gives back what an owner has locked in a range, when what was written is stored. */
    void unlock(OpenFiles.Handle by, LockOwner owner, LockRange range) throws IOException {
        try {
            save(by.file());
        } finally {
            giveBack(by.file(), owner, range);
        }
    }

    private static void save(OpenFile file) throws IOException {
        Answers.uninterrupted(() -> {
            file.save();
            return true;
        });
    }

    private void giveBack(OpenFile file, LockOwner owner, LockRange range) throws IOException {
        long asked = file.lockers().asked(owner);
        if (!change(new TableCommand.Unlock(file.number(), owner, range)).any()) {
            file.lockers().unlocked(owner, asked);
        }
    }

    /** The lock of another owner that is in the way of one. */
    Optional<RangeLock> blocker(OpenFile file, RangeLock wanted) throws IOException, InterruptedException {
        TableAnswer.Blocked blocked = answers.ask(new TableQuery.Blocker(file.number(), wanted, 0));
        RangeLock by = blocked.by();
        return Optional.ofNullable(
                by == null || isOurs(blocked) ? by : new RangeLock(by.owner(), by.range(), by.exclusive(), 0));
    }

    private boolean isOurs(TableAnswer.Blocked blocked) {
        return blocked.client() != null && blocked.client().equals(session.get());
    }

    /** A descriptor is closed by an owner, which ends all his locks on the file. */
    void closed(OpenFiles.Handle by, LockOwner owner) throws IOException {
        if (by.file().lockers().has(owner)) {
            release(by, owner);
        }
    }

    /** A handle is given up. */
    void released(OpenFiles.Handle by) throws IOException {
        for (LockOwner owner : by.file().lockers().close(by.number())) {
            release(by, owner);
        }
    }

    private void release(OpenFiles.Handle by, LockOwner owner) throws IOException {
        OpenFile file = by.file();
        try {
            save(file);
        } finally {
            try {
                giveBack(file, owner, LockRange.ALL);
            } catch (IOException away) {
                log.warn("locks on inode {} are given back later: {}", file.number(), away.getMessage());
                unreleased.add(file.number(), owner);
            }
        }
    }

    /** No more is given back: all ends with the client's session. */
    void end() {
        unreleased.end();
    }
}
