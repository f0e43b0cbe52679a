// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.storage.FileTable;
import io.albm.storage.StorageException;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableRefusal;
import io.albm.storage.TableRequest;
import io.albm.storage.fuse.Errno;
import io.albm.storage.fuse.ErrnoException;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits for answers of the storage, for a bounded time, and says in an errno why there is none. Thread-safe. */
record Answers(FileTable table, Duration patience) {
    private static final Logger log = LoggerFactory.getLogger(Answers.class);

    /** A node that was started anew, or that has lost its session, is back by then. */
    private static final int PASSES_SECONDS = 5;

    /** Asks the file table, and waits as {@link #await} does; for the outcome of a change, as {@link #finish} does. */
    <A extends TableAnswer> A ask(TableRequest<A> request) throws IOException, InterruptedException {
        CompletableFuture<A> answer = table.ask(request);
        return request instanceof TableCommand ? finish(answer) : await(answer);
    }

    /**
     * Waits for an answer.
     *
     * @throws IOException what the mount answers with EIO, or an {@link ErrnoException}
     * @throws InterruptedException if the caller of the operation waits no longer
     */
    <T> T await(CompletableFuture<T> answer) throws IOException, InterruptedException {
        try {
            return answer.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IOException("the storage did not answer within " + patience.toSeconds() + " s", e);
        } catch (ExecutionException failure) {
            throw failure(failure.getCause() == null ? failure : failure.getCause());
        }
    }

    /**
     * Waits for bytes that are read. What a node did not give that may still have it, which several may for a moment, is read
     * again and again for {@value #PASSES_SECONDS} s, or as long as this waits for an answer if that is less.
     *
     * @return the caller releases it
     */
    ByteBuf read(Supplier<CompletableFuture<ByteBuf>> source) throws IOException, InterruptedException {
        long end = System.nanoTime() + Math.min(patience.toNanos(), TimeUnit.SECONDS.toNanos(PASSES_SECONDS));
        for (long pauseMillis = 50; ; pauseMillis = Math.min(2 * pauseMillis, 1000)) {
            CompletableFuture<ByteBuf> bytes = source.get();
            try {
                return await(bytes);
            } catch (StorageException.DataLost loss) {
                if (!loss.mayPass() || System.nanoTime() - end >= 0) {
                    throw loss;
                }
            } catch (IOException | InterruptedException failure) {
                bytes.thenAccept(ByteBuf::release);
                throw failure;
            }
            Thread.sleep(pauseMillis);
        }
    }

    /** Waits for the end of what must not be left half done: an interrupt is heard of afterwards. */
    <T> T finish(CompletableFuture<T> answer) throws IOException {
        return uninterrupted(() -> await(answer));
    }

    /** What may be done again after an interrupt. */
    @FunctionalInterface
    interface Step<T> {
        T take() throws IOException, InterruptedException;
    }

    /** Takes a step that must not be left half done: an interrupt is heard of afterwards. */
    static <T> T uninterrupted(Step<T> step) throws IOException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return step.take();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits until all that the table has answered is durable. */
    void sync() throws IOException {
        finish(table.sync());
    }

    /** Waits for the end of what need not succeed. */
    void waitFor(CompletableFuture<Void> end) {
        try {
            finish(end);
        } catch (IOException left) {
            log.debug("not done in time, and left to others", left);
        }
    }

    private static IOException failure(Throwable failure) {
        if (failure instanceof Error error) {
            throw error;
        }
        return switch (failure) {
            case CompletionException wrapped when wrapped.getCause() != null -> failure(wrapped.getCause());
            case TableRefusal refusal -> refused(refusal);
            case StorageException.NoSuchFile _ -> new ErrnoException(Errno.ENOENT);
            case StorageException.FileExists _ -> new ErrnoException(Errno.EEXIST);
            case StorageException.NoSpace _ -> new ErrnoException(Errno.ENOSPC);
            case StorageException.FileChanged _ -> new ErrnoException(Errno.ESTALE);
            case IOException other -> other;
            default -> new IOException(failure);
        };
    }

    private static IOException refused(TableRefusal refusal) {
        return switch (refusal.reason()) {
            case NO_ENTRY -> new ErrnoException(Errno.ENOENT);
            case EXISTS -> new ErrnoException(Errno.EEXIST);
            case NOT_DIRECTORY -> new ErrnoException(Errno.ENOTDIR);
            case IS_DIRECTORY -> new ErrnoException(Errno.EISDIR);
            case NOT_EMPTY -> new ErrnoException(Errno.ENOTEMPTY);
            case INVALID -> new ErrnoException(Errno.EINVAL);
            case NAME_TOO_LONG -> new ErrnoException(Errno.ENAMETOOLONG);
            case TOO_MANY_LINKS -> new ErrnoException(Errno.EMLINK);
            case NO_ATTRIBUTE -> new ErrnoException(Errno.ENODATA);
            case STALE, CHANGED -> new ErrnoException(Errno.ESTALE);
            case FULL, NO_ROOM -> new ErrnoException(Errno.ENOSPC);
            case LOCKED -> new ErrnoException(Errno.EAGAIN);
            case NO_LOCKS -> new ErrnoException(Errno.ENOLCK);
            case NOT_ANNOUNCED, FENCED, FRAGMENTED, LOCK_LOST, LOST -> new IOException(refusal);
        };
    }
}
