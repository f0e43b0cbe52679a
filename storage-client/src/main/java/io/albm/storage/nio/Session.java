// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import io.albm.storage.fuse.InodeFileSystem;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.ClosedFileSystemException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A storage while it is open: lets operations in until it is closed, and knows what is open then. Closing waits for the
 * operations that run, each of which waits for the storage for a bounded time. Thread-safe.
 */
final class Session implements Closeable {
    /** Operations at a time, each of which may hold a few MiB: more of them wait for their turn. */
    private static final int MOST_OPERATIONS = 256;

    private final StorageLink link;
    private final Semaphore operations = new Semaphore(MOST_OPERATIONS, true);
    private final Set<Closeable> resources = ConcurrentHashMap.newKeySet();
    private final LockedRanges locks = new LockedRanges();
    private final AtomicBoolean open = new AtomicBoolean(true);

    Session(StorageLink link) {
        this.link = link;
    }

    /** What is asked of the storage. */
    @FunctionalInterface
    interface Operation<T> {
        T run(InodeFileSystem files) throws IOException, InterruptedException;
    }

    /** As {@link Operation}, without an answer. */
    @FunctionalInterface
    interface Change {
        void run(InodeFileSystem files) throws IOException, InterruptedException;
    }

    /**
     * Asks the storage.
     *
     * @param file the file that failures name
     * @param other a second one
     * @throws ClosedFileSystemException if this is closed
     * @throws InterruptedIOException if the thread is interrupted, which it still is then
     */
    <T> T ask(Path file, @Nullable Path other, Operation<T> operation) throws IOException {
        return run(file, other, files -> {
            operations.acquire();
            try {
                if (!open.get()) {
                    throw new ClosedFileSystemException();
                }
                return operation.run(files);
            } finally {
                operations.release();
            }
        });
    }

    <T> T ask(Path file, Operation<T> operation) throws IOException {
        return ask(file, null, operation);
    }

    void change(Path file, Change change) throws IOException {
        change(file, null, change);
    }

    void change(Path file, @Nullable Path other, Change change) throws IOException {
        ask(file, other, files -> {
            change.run(files);
            return true;
        });
    }

    private <T> T run(Path file, @Nullable Path other, Operation<T> operation) throws IOException {
        try {
            return operation.run(link.files());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(file + ": interrupted while waiting for the storage");
        } catch (IOException failure) {
            throw Failures.of(failure, file.toString(), other == null ? null : other.toString());
        }
    }

    /** Ends the use of something; an interrupt before does not keep it from what it has to do. */
    void release(Path file, Change ending) throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            run(file, null, files -> {
                ending.run(files);
                return true;
            });
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** To be called by an operation for what it has opened. */
    <R extends Closeable> R opened(R resource) {
        resources.add(resource);
        return resource;
    }

    void closed(Closeable resource) {
        resources.remove(resource);
    }

    boolean isOpen() {
        return open.get();
    }

    LockedRanges locks() {
        return locks;
    }

    /**
     * Closes what is open, and the way to the storage.
     *
     * @throws IOException if something that was written could not be stored; all is closed nevertheless
     */
    @Override
    public void close() throws IOException {
        if (!shut()) {
            return;
        }
        IOException failure = null;
        for (Closeable resource : List.copyOf(resources)) {
            failure = closed(resource, failure);
        }
        failure = closed(() -> release(Path.of("/"), InodeFileSystem::end), failure);
        failure = closed(link, failure);
        if (failure != null) {
            throw failure;
        }
    }

    /** Lets no operation in any more, and waits for those that are. @return false if another has done that */
    private boolean shut() {
        if (!open.compareAndSet(true, false)) {
            return false;
        }
        operations.acquireUninterruptibly(MOST_OPERATIONS);
        operations.release(MOST_OPERATIONS);
        return true;
    }

    private static @Nullable IOException closed(Closeable resource, @Nullable IOException earlier) {
        try {
            resource.close();
            return earlier;
        } catch (IOException failure) {
            if (earlier != null) {
                earlier.addSuppressed(failure);
            }
            return earlier == null ? failure : earlier;
        }
    }
}
