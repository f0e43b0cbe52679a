// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static io.albm.it.RoleUnderTest.await;

import io.albm.storage.FileTable;
import io.albm.storage.Inode;
import io.albm.storage.TableCommand;
import java.util.concurrent.CompletableFuture;

/** Gives a file one name after the other, each when the one before is answered, until it is told to end. */
final class Renaming {
    private static final int MORE = 20;

    private final FileTable table;
    private final String name;
    private final CompletableFuture<Void> ended;
    private volatile int done;
    private volatile boolean ending;

    /** @param name of a file in the topmost directory; a number follows it, 0 at first */
    Renaming(FileTable table, String name) {
        this.table = table;
        this.name = name;
        this.ended = CompletableFuture.runAsync(this::run, Thread::startVirtualThread);
    }

    private void run() {
        for (int n = 0; !ending; n++) {
            table.ask(new TableCommand.Rename(
                            Inode.ROOT, name + n, Inode.ROOT, name + (n + 1), TableCommand.Renaming.NO_REPLACE, false))
                    .join();
            done = n + 1;
        }
    }

    /** Waits until some more names were answered. */
    void awaitMore() {
        int enough = done + MORE;
        await().failFast("a renaming failed", ended::isDone).until(() -> done >= enough);
    }

    /** Ends it, and gives the last name that was answered. */
    String end() {
        ending = true;
        ended.join();
        return name + done;
    }
}
