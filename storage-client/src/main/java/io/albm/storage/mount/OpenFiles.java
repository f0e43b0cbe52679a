// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.storage.Inode;
import io.albm.storage.StripedFiles;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.fuse.Errno;
import io.albm.storage.fuse.ErrnoException;
import java.io.IOException;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The files that are open here, each once, however many handles it is open by. Thread-safe. */
final class OpenFiles {
    /** Bytes that what was written and not stored takes in memory, over all files. */
    private static final long MOST_HELD = 16 << 20;

    /** More than threads that open files or take names away at once, so that hardly any wait for another file's. */
    private static final int TURNS = 256;

    /** One opening of a file. */
    record Handle(long number, OpenFile file, boolean writes) {}

    private final StripedFiles files;
    private final Answers answers;
    private final Versions versions;
    private final ShownSizes sizes;
    private final Lock[] turns =
            Stream.generate(ReentrantLock::new).limit(TURNS).toArray(Lock[]::new);
    private final Map<Long, OpenFile> byInode = new ConcurrentHashMap<>();
    private final Map<Long, Handle> handles = new ConcurrentHashMap<>();
    private final AtomicLong nextHandle = new AtomicLong(1);
    private final AtomicLong held = new AtomicLong();

    OpenFiles(StripedFiles files, Answers answers, Versions versions, ShownSizes sizes) {
        this.files = files;
        this.answers = answers;
        this.versions = versions;
        this.sizes = sizes;
    }

    /** Opens a file as it is now. */
    Handle open(long inode, boolean writes) throws IOException, InterruptedException {
        OpenFile file = acquire(inode);
        try {
            file.refresh();
        } catch (IOException | InterruptedException | RuntimeException failure) {
            let(file);
            throw failure;
        }
        return handle(file, writes);
    }

    /** Opens a file that was made just now. */
    Handle open(Inode made, boolean writes) throws InterruptedException {
        OpenFile file = acquire(made.number());
        file.adopt(made);
        return handle(file, writes);
    }

    private OpenFile acquire(long inode) throws InterruptedException {
        Lock turn = turn(inode);
        turn.lockInterruptibly();
        try {
            return byInode.compute(inode, (number, there) -> {
                OpenFile file = there == null ? new OpenFile(number, files, answers, versions, sizes, held) : there;
                file.users++;
                return file;
            });
        } finally {
            turn.unlock();
        }
    }

    private Lock turn(long inode) {
        return turns[(int) (inode % TURNS)];
    }

    /**
     * Takes a name of a file away, which may be its last. If the file is open here, it stays for those who have it open; who
     * opens it meanwhile waits until that is done.
     *
     * @param removal with whether the file is kept
     */
    void remove(long inode, Function<Boolean, TableCommand<TableAnswer.Freed>> removal)
            throws IOException, InterruptedException {
        boolean keep;
        TableAnswer.Freed freed;
        Lock turn = turn(inode);
        turn.lockInterruptibly();
        try {
            keep = byInode.containsKey(inode);
            freed = answers.ask(removal.apply(keep));
        } finally {
            turn.unlock();
        }
        free(freed);
        if (keep && freed.inode() != null && freed.inode().links() == 0) {
            loseName(freed.inode());
        }
    }

    private Handle handle(OpenFile file, boolean writes) {
        Handle handle = new Handle(nextHandle.getAndIncrement(), file, writes);
        if (writes) {
            file.addWriter();
        }
        handles.put(handle.number(), handle);
        return handle;
    }

    Handle get(long handle) throws ErrnoException {
        return known(handles.get(handle));
    }

    private static Handle known(@Nullable Handle handle) throws ErrnoException {
        if (handle == null) {
            throw new ErrnoException(Errno.EINVAL);
        }
        return handle;
    }

    Optional<OpenFile> find(long inode) {
        return Optional.ofNullable(byInode.get(inode));
    }

    /** All that are open by now. */
    Collection<OpenFile> all() {
        return byInode.values();
    }

    /** Ends an opening. What it may have written is stored. */
    void close(long handle) throws IOException, InterruptedException {
        Handle closed = known(handles.remove(handle));
        try {
            if (closed.writes()) {
                closed.file().save();
            }
        } finally {
            if (closed.writes()) {
                closed.file().removeWriter();
            }
            let(closed.file());
        }
    }

    private void let(OpenFile file) throws IOException, InterruptedException {
        boolean isLast = byInode.compute(file.number(), (number, there) -> --file.users == 0 ? null : there) == null;
        if (isLast && file.end()) {
            release(file.number());
        }
    }

    /** What is known of a file that lost its last name while it was kept for those who have it open here. */
    private void loseName(Inode inode) throws IOException, InterruptedException {
        boolean isOpen = byInode.computeIfPresent(inode.number(), (number, file) -> {
                    file.loseName();
                    return file;
                })
                != null;
        if (!isOpen) {
            release(inode.number());
        }
    }

    private void release(long inode) throws IOException, InterruptedException {
        free(answers.ask(new TableCommand.Release(inode)));
    }

    /** Removes the blocks that nobody needs any more. What cannot be removed in time, the sweep of a node removes. */
    void free(TableAnswer.Freed freed) {
        if (!freed.freed().isEmpty()) {
            answers.waitFor(files.free(freed.freed()));
        }
    }

    /** Waits until there is room in memory for more that is written: the file that takes most of it is sent ahead. */
    void makeRoom() throws IOException, InterruptedException {
        while (held.get() > MOST_HELD) {
            Optional<OpenFile> largest = byInode.values().stream().max(Comparator.comparingLong(OpenFile::held));
            if (largest.isPresent()) {
                largest.get().relieve();
            }
        }
    }

    /** Ends all openings, whichever of them fail. What is not stored by then is stored, or given up. */
    void end() throws IOException, InterruptedException {
        IOException failure = null;
        LastStores stores = new LastStores(answers.patience());
        for (OpenFile file : List.copyOf(byInode.values())) {
            try {
                end(file, stores);
            } catch (IOException next) {
                failure = both(failure, next);
            }
        }
        handles.clear();
        if (failure != null) {
            throw failure;
        }
    }

    private void end(OpenFile file, LastStores stores) throws IOException, InterruptedException {
        try {
            stores.store(file);
        } finally {
            if (byInode.remove(file.number(), file) && file.end()) {
                release(file.number());
            }
        }
    }

    /** All who asked a table that is away may have got the same failure. */
    private static IOException both(@Nullable IOException first, IOException next) {
        if (first == null) {
            return next;
        }
        if (!first.equals(next)) {
            first.addSuppressed(next);
        }
        return first;
    }
}
