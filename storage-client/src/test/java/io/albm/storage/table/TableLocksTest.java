// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.storage.Inode;
import io.albm.storage.LockOwner;
import io.albm.storage.LockRange;
import io.albm.storage.RangeLock;
import io.albm.storage.TableCommand;
import io.albm.storage.TableRefusal.Reason;
import org.junit.jupiter.api.Test;

class TableLocksTest extends TableHarness {
    private static final LockOwner OWNER = new LockOwner(LockOwner.Kind.POSIX, 1);

    @Test
    void locksEndWithTheirClientsSessionAndAreInSnapshots() {
        Inode file = make(Inode.ROOT, "f", FILE);
        lock(ME, file, 0, 9);
        reload();

        refused(Reason.LOCKED, () -> lock(OTHER, file, 9, 9));
        lock(OTHER, file, 10, 19);
        assertThat(table.clients()).containsExactlyInAnyOrder(ME, OTHER);
        table.endSession(ME);
        lock(OTHER, file, 0, 9);
        assertThat(table.clients()).containsExactly(OTHER);
    }

    @Test
    void onlyFilesThatAreThereAreLocked() {
        Inode file = make(Inode.ROOT, "f", FILE);
        lock(ME, file, 0, 9);
        unlink("f", false);

        assertThat(table.clients()).isEmpty();
        refused(Reason.STALE, () -> lock(ME, file, 0, 9));
        refused(Reason.INVALID, () -> lock(ME, get(Inode.ROOT), 0, 9));
        apply(new TableCommand.Unlock(file.number(), OWNER, LockRange.ALL));
    }

    @Test
    void aChangeThatRestsOnLocksIsRefusedWhenTheyAreOver() {
        Inode file = make(Inode.ROOT, "f", FILE);
        TableCommand.Change change = whole(file, inline(1, 100));

        refused(Reason.LOCK_LOST, () -> apply(change.lockedBy(OTHER)));
        assertThat(get(file.number()).size()).isZero();
        apply(change.lockedBy(ME));
        assertThat(get(file.number()).size()).isEqualTo(100);
    }

    private void lock(String client, Inode file, long start, long end) {
        table.apply(
                client,
                new TableCommand.Lock(file.number(), new RangeLock(OWNER, new LockRange(start, end), true, 1)),
                now);
    }
}
