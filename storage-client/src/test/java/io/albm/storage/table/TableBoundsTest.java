// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.albm.core.node.NodeId;
import io.albm.storage.InlineBytes;
import io.albm.storage.Inode;
import io.albm.storage.LockOwner;
import io.albm.storage.LockRange;
import io.albm.storage.PutMode;
import io.albm.storage.Segment;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableRefusal;
import io.albm.storage.TableRefusal.Reason;
import java.time.Instant;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TableBoundsTest {
    private static final String ME = "client-1";
    private static final int FILE = 0100644;
    private static final long MEBIBYTE = 1 << 20;

    private final TableState state = new TableState(TableBounds.MOST_INODES);

    private static TableCommand.Make make(String name) {
        return new TableCommand.Make(Inode.ROOT, name, FILE, 0, 0, 0, null);
    }

    private static TableCommand.Publish publish(String path, int bytes) {
        Segment segment = Segment.ofInline("%032x".formatted(1), new InlineBytes(new byte[bytes]));
        return new TableCommand.Publish(path, segment, 7, PutMode.REPLACE, null);
    }

    private TableAnswer apply(TableCommand<?> command) {
        return state.apply(ME, command, Instant.EPOCH);
    }

    private void refuses(Reason reason, TableBounds bounds, TableCommand<?> command) {
        assertThatExceptionOfType(TableRefusal.class)
                .isThrownBy(() -> bounds.admitted(ME, command, state))
                .satisfies(refusal -> assertThat(refusal.reason()).isEqualTo(reason));
    }

    @Test
    void aSmallHeapHoldsASmallTableAndALargeOneTheLargest() {
        assertThat(TableBounds.ofHeap(128 * MEBIBYTE)).isEqualTo(new TableBounds(131_072, 8 * MEBIBYTE));
        assertThat(TableBounds.ofHeap(16_384 * MEBIBYTE)).isEqualTo(new TableBounds(1_000_000, 64 * MEBIBYTE));
    }

    @Test
    void whatMakesAFullTableLargerIsRefused() {
        apply(make("a"));
        TableBounds full = new TableBounds(2, MEBIBYTE);
        refuses(Reason.FULL, full, make("b"));
        refuses(Reason.FULL, full, publish("/b", 1));
        refuses(Reason.FULL, full, new TableCommand.Reserve(1, 0));
    }

    @Test
    void whatDoesNotMakeItLargerIsAdmitted() {
        apply(publish("/a", 1));
        TableBounds full = new TableBounds(2, MEBIBYTE);
        TableCommand<?> replace = publish("/a", 2);
        assertThat(full.admitted(ME, replace, state)).isSameAs(replace);
        TableCommand<?> unlink = new TableCommand.Unlink(Inode.ROOT, "a", false);
        assertThat(full.admitted(ME, unlink, state)).isSameAs(unlink);
    }

    /** As where a leader has less heap than the one before. */
    @Test
    void aTableAboveItsBoundCanBeMadeSmaller() {
        apply(publish("/a/b/c", 1));
        TableBounds small = new TableBounds(2, MEBIBYTE);
        Stream.of(
                        new TableCommand.Unlink(Inode.ROOT, "a", false),
                        new TableCommand.Remove("/a/b/c", null),
                        new TableCommand.Release(1),
                        new TableCommand.Cancel("%032x".formatted(2)),
                        new TableCommand.Unlock(1, new LockOwner(LockOwner.Kind.POSIX, 1), LockRange.ALL),
                        new TableCommand.Relocate(1, "%032x".formatted(1), new NodeId("n-1"), new NodeId("n-2")))
                .forEach(command ->
                        assertThat(small.admitted(ME, command, state)).isSameAs(command));
        refuses(Reason.FULL, small, make("d"));
    }

    @Test
    void directoriesThatAreMissingOnTheWayCountAsWell() {
        TableCommand<?> publish = publish("/a/b/c", 1);
        refuses(Reason.FULL, new TableBounds(2, MEBIBYTE), publish);
        refuses(Reason.FULL, new TableBounds(3, MEBIBYTE), publish);
        assertThat(new TableBounds(4, MEBIBYTE).admitted(ME, publish, state)).isSameAs(publish);
    }

    @Test
    void numbersThatAreSetAsideAreThereAlready() {
        var reserved = (TableAnswer.Reserved) apply(new TableCommand.Reserve(3, 0));
        TableBounds full = new TableBounds(4, MEBIBYTE);
        TableCommand<?> numbered = make("a").as(reserved.first());
        assertThat(full.admitted(ME, numbered, state)).isSameAs(numbered);
        assertThat(full.admitted(ME, new TableCommand.Reserve(3, 0), state)).isEqualTo(new TableCommand.Reserve(3, 0));
        refuses(Reason.FULL, full, new TableCommand.Reserve(4, 0));
        refuses(Reason.FULL, full, make("b"));
    }

    @Test
    void filesThatDoNotFitGoElsewhere() {
        apply(publish("/a", 3000));
        TableBounds small = new TableBounds(100, 4000);
        TableCommand<?> fits = publish("/b", 1000);
        assertThat(small.admitted(ME, fits, state)).isSameAs(fits);
        refuses(Reason.NO_ROOM, small, publish("/b", 1001));
    }

    @Test
    void roomIsSetAsideAsFarAsThereIsSome() {
        apply(publish("/a", 3000));
        assertThat(new TableBounds(100, 3800).admitted(ME, new TableCommand.Reserve(1, 4000), state))
                .isEqualTo(new TableCommand.Reserve(1, 100));
        assertThat(new TableBounds(100, 2000).admitted(ME, new TableCommand.Reserve(1, 4000), state))
                .isEqualTo(new TableCommand.Reserve(1, 0));
    }
}
