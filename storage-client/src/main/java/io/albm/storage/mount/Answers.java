// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.storage.StorageException;
import io.albm.storage.fuse.Errno;
import io.albm.storage.fuse.ErrnoException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Waits for answers of the storage, for a bounded time, and says in an errno why there is none. */
record Answers(Duration patience) {
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

    private static IOException failure(Throwable failure) {
        return switch (failure) {
            case StorageException.NoSuchFile _ -> new ErrnoException(Errno.ENOENT);
            case StorageException.FileExists _ -> new ErrnoException(Errno.EEXIST);
            case StorageException.NoSpace _ -> new ErrnoException(Errno.ENOSPC);
            case StorageException.FileChanged _ -> new ErrnoException(Errno.ESTALE);
            case IOException other -> other;
            default -> new IOException(failure);
        };
    }
}
