// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.storage.Inode;
import io.albm.storage.Segment;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableCommand.Renaming;
import io.albm.storage.TableRefusal.Reason;
import org.junit.jupiter.api.Test;

class TableNamesTest extends TableHarness {
    @Test
    void aNameLeadsToWhatWasMade() {
        Inode made = make(Inode.ROOT, "a", FILE);

        assertThat(lookup(Inode.ROOT, "a")).usingRecursiveComparison().isEqualTo(made);
        assertThat(made.links()).isEqualTo(1);
        assertThat(made.modified()).isEqualTo(now);
        refused(Reason.EXISTS, () -> make(Inode.ROOT, "a", FILE));
        refused(Reason.NO_ENTRY, () -> lookup(Inode.ROOT, "b"));
    }

    @Test
    void directoriesCountTheDirectoriesInThem() {
        Inode made = make(Inode.ROOT, "d", DIRECTORY);
        make(made.number(), "e", DIRECTORY);
        make(made.number(), "f", FILE);

        assertThat(get(made.number()).links()).isEqualTo(3);
        assertThat(get(Inode.ROOT).links()).isEqualTo(3);
        assertThat(lookup(made.number(), "..").number()).isEqualTo(Inode.ROOT);
        refused(Reason.NOT_EMPTY, () -> apply(new TableCommand.RemoveDirectory(Inode.ROOT, "d")));
        apply(new TableCommand.RemoveDirectory(made.number(), "e"));
        assertThat(get(made.number()).links()).isEqualTo(2);
    }

    @Test
    void aChangeOfNamesIsAChangeOfTheDirectory() {
        later();
        Inode file = make(Inode.ROOT, "a", FILE);
        assertThat(get(Inode.ROOT).modified()).isEqualTo(now);
        later();
        apply(new TableCommand.Link(file.number(), Inode.ROOT, "b"));
        assertThat(get(file.number()).changed()).isEqualTo(now);
        assertThat(get(file.number()).modified()).isBefore(now);
        assertThat(get(Inode.ROOT).modified()).isEqualTo(now);
        later();
        unlink("a", false);
        assertThat(get(file.number()).changed()).isEqualTo(now);
        assertThat(get(file.number()).links()).isEqualTo(1);
    }

    @Test
    void theSetGroupBitIsInherited() {
        Inode directory = make(Inode.ROOT, "d", DIRECTORY | 02000);
        apply(new TableCommand.SetAttributes(directory.number(), null, null, 7, null, null, false));

        Inode file = make(directory.number(), "f", FILE);
        Inode below = make(directory.number(), "e", DIRECTORY);

        assertThat(file.gid()).isEqualTo(7);
        assertThat(below.gid()).isEqualTo(7);
        assertThat(below.mode()).isEqualTo(DIRECTORY | 02000);
    }

    @Test
    void aChangeOfOwnerTakesTheSetIdBits() {
        Inode file = make(Inode.ROOT, "f", 0100755);
        apply(new TableCommand.SetAttributes(file.number(), 06755, null, null, null, null, false));
        assertThat(get(file.number()).mode()).isEqualTo(0106755);

        apply(new TableCommand.SetAttributes(file.number(), null, 5, null, null, null, false));

        assertThat(get(file.number()).mode()).isEqualTo(0100755);
        assertThat(get(file.number()).uid()).isEqualTo(5);
    }

    @Test
    void aRenameTakesTheOthersPlace() {
        Inode a = make(Inode.ROOT, "a", FILE);
        Inode b = make(Inode.ROOT, "b", FILE);

        TableAnswer.Freed freed = (TableAnswer.Freed) rename("a", "b", Renaming.REPLACE);

        assertThat(freed.inode()).isNotNull().extracting(Inode::number).isEqualTo(b.number());
        assertThat(lookup(Inode.ROOT, "b").number()).isEqualTo(a.number());
        refused(Reason.NO_ENTRY, () -> lookup(Inode.ROOT, "a"));
        refused(Reason.STALE, () -> get(b.number()));
    }

    @Test
    void aRenameOntoAnotherNameOfTheSameFileDoesNothing() {
        Inode a = make(Inode.ROOT, "a", FILE);
        apply(new TableCommand.Link(a.number(), Inode.ROOT, "b"));

        rename("a", "b", Renaming.REPLACE);

        assertThat(lookup(Inode.ROOT, "a").links()).isEqualTo(2);
    }

    @Test
    void whatCannotBeRenamedIsLeftAlone() {
        Inode d = make(Inode.ROOT, "d", DIRECTORY);
        make(d.number(), "e", DIRECTORY);
        make(Inode.ROOT, "f", FILE);
        make(Inode.ROOT, "empty", DIRECTORY);

        refused(Reason.INVALID, () -> apply(rename(Inode.ROOT, "d", d.number(), "x", Renaming.REPLACE)));
        refused(
                Reason.INVALID,
                () -> apply(rename(Inode.ROOT, "d", lookup(d.number(), "e").number(), "x", Renaming.REPLACE)));
        refused(Reason.IS_DIRECTORY, () -> rename("f", "d", Renaming.REPLACE));
        refused(Reason.NOT_DIRECTORY, () -> rename("d", "f", Renaming.REPLACE));
        refused(Reason.NOT_EMPTY, () -> rename("empty", "d", Renaming.REPLACE));
        refused(Reason.EXISTS, () -> rename("f", "d", Renaming.NO_REPLACE));
        refused(Reason.NO_ENTRY, () -> rename("f", "none", Renaming.EXCHANGE));
        rename("d", "empty", Renaming.REPLACE);
        assertThat(lookup(Inode.ROOT, "empty").number()).isEqualTo(d.number());
        assertThat(get(Inode.ROOT).links()).isEqualTo(3);
    }

    @Test
    void anExchangeMovesTheLinkCountsOfParents() {
        Inode d = make(Inode.ROOT, "d", DIRECTORY);
        make(d.number(), "below", DIRECTORY);
        make(Inode.ROOT, "f", FILE);

        apply(rename(d.number(), "below", Inode.ROOT, "f", Renaming.EXCHANGE));

        assertThat(get(d.number()).links()).isEqualTo(2);
        assertThat(get(Inode.ROOT).links()).isEqualTo(4);
        assertThat(lookup(Inode.ROOT, "f").parent()).isEqualTo(Inode.ROOT);
        assertThat(lookup(d.number(), "below").isDirectory()).isFalse();
    }

    @Test
    void aKeptFileStaysUntilItIsReleased() {
        Inode file = make(Inode.ROOT, "f", FILE);
        Segment content = stored(file.number(), 1);

        assertThat(unlink("f", true).freed()).isEmpty();
        assertThat(get(file.number()).links()).isZero();
        assertThat(unneeded(content)).isEmpty();

        TableAnswer.Freed freed = (TableAnswer.Freed) apply(new TableCommand.Release(file.number()));

        assertThat(freed.freed()).containsExactly(content);
        refused(Reason.STALE, () -> get(file.number()));
        assertThat(unneeded(content)).containsExactly(content.generation());
    }

    @Test
    void aSessionsEndReleasesAndCancels() {
        Inode file = make(Inode.ROOT, "f", FILE);
        Segment content = stored(file.number(), 1);
        unlink("f", true);
        apply(new TableCommand.Begin(generation(2)));
        assertThat(table.clients()).containsExactly(ME);

        table.endSession(ME);

        refused(Reason.STALE, () -> get(file.number()));
        assertThat(unneeded(content, segment(2))).containsExactly(content.generation(), generation(2));
        assertThat(table.clients()).isEmpty();
    }

    private void later() {
        now = now.plusSeconds(1);
    }
}
