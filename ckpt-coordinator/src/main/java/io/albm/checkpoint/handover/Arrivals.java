// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.handover;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Waits for files in a directory. The kernel tells of them, unless this user has as many watches as one may have (inotify(7): 128
 * by default, and each rank takes one); then nobody does, and who waits looks again after its time. For one thread.
 */
final class Arrivals implements AutoCloseable {
    private final @Nullable WatchService changes;

    private Arrivals(@Nullable WatchService changes) {
        this.changes = changes;
    }

    static Arrivals in(Path directory) {
        WatchService changes = null;
        try {
            changes = FileSystems.getDefault().newWatchService();
            directory.register(changes, StandardWatchEventKinds.ENTRY_CREATE);
            return new Arrivals(changes);
        } catch (IOException nobodyTells) {
            close(changes);
            return new Arrivals(null);
        }
    }

    /** Returns when one has come, or after the time. */
    void await(Duration longest) throws InterruptedException {
        if (changes == null) {
            Thread.sleep(longest);
            return;
        }
        WatchKey key = changes.poll(longest.toNanos(), TimeUnit.NANOSECONDS);
        if (key != null) {
            key.pollEvents();
            key.reset();
        }
    }

    @Override
    public void close() {
        close(changes);
    }

    private static void close(@Nullable WatchService changes) {
        try {
            if (changes != null) {
                changes.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
