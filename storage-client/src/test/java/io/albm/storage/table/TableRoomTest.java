// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.json.Json;
import io.albm.storage.Extent;
import io.albm.storage.InlineBytes;
import io.albm.storage.Inode;
import io.albm.storage.PutMode;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import io.albm.storage.TableRefusal.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TableRoomTest extends TableHarness {
    @Test
    void aFullTableRefusesMoreAndNothingElse() {
        table = new TableState(3);
        make(Inode.ROOT, "a", FILE);
        begin(1);
        refused(Reason.FULL, () -> apply(publish("/x/y", 1, PutMode.CREATE, null)));
        refused(Reason.NO_ENTRY, () -> find("/x"));
        make(Inode.ROOT, "b", FILE);
        refused(Reason.FULL, () -> make(Inode.ROOT, "c", FILE));
        unlink("a", false);
        make(Inode.ROOT, "c", FILE);
    }

    @Test
    void aFileHasABoundedNumberOfExtents() {
        Inode file = make(Inode.ROOT, "f", FILE);
        begin(1);
        List<Extent> apart = LongStream.rangeClosed(0, TableState.MAX_EXTENTS)
                .mapToObj(i -> new Extent(2 * i, 1, generation(1), i % 100))
                .toList();

        refused(Reason.FRAGMENTED, () -> apply(write(file.number(), segment(1), apart)));
        apply(write(file.number(), segment(1), apart.subList(1, apart.size())));
    }

    @Test
    void extendedAttributesOfAnInodeTakeABoundedRoom() {
        Inode file = make(Inode.ROOT, "f", FILE);
        byte[] half = new byte[ExtendedAttributes.MAX_BYTES / 2];
        apply(attribute(file, "a", half));
        refused(Reason.NO_ROOM, () -> apply(attribute(file, "b", half)));
        apply(attribute(file, "a", half));
        apply(attribute(file, "a", new byte[0]));
        apply(attribute(file, "b", half));
        assertThat(get(file.number()).attributes()).containsExactly("a", "b");
    }

    @Test
    void theTableTakesSoManyBytesOfFiles() {
        long files = Segments.MOST_INLINE_BYTES / InlineBytes.MOST;
        table = new TableState(files + 10);
        for (int i = 0; i < files; i++) {
            apply(new TableCommand.Publish("/" + i, inline(i, InlineBytes.MOST), 7, PutMode.CREATE, null));
        }
        TableCommand.Publish more = new TableCommand.Publish("/more", inline(-1, 1), 7, PutMode.CREATE, null);
        Inode empty = make(Inode.ROOT, "empty", FILE);

        refused(Reason.NO_ROOM, () -> apply(more));
        refused(Reason.NO_ROOM, () -> apply(whole(empty, inline(-1, 1))));
        unlink("0", false);
        apply(more);
        apply(TableCommand.Change.resize(lookup(Inode.ROOT, "1").number(), 0));
        apply(whole(empty, inline(-2, InlineBytes.MOST)));
    }

    @Test
    void roomThatIsSetAsideIsTheClients() {
        Inode file = make(Inode.ROOT, "f", FILE);
        long all = Segments.MOST_INLINE_BYTES;
        assertThat(((TableAnswer.Reserved) apply(new TableCommand.Reserve(1, 300))).bytes())
                .isEqualTo(300);
        refused(
                Reason.INVALID,
                () -> table.apply(OTHER, whole(file, inline(1, 200)).aside(), now));
        apply(whole(file, inline(1, 200)).aside());
        refused(Reason.INVALID, () -> apply(whole(file, inline(2, 200)).aside()));

        reload();
        apply(whole(file, inline(3, 100)).aside());
        long given = ((TableAnswer.Reserved) table.apply(OTHER, new TableCommand.Reserve(1, all), now)).bytes();
        assertThat(given).isBetween(InlineBytes.MOST + 0L, all / 2);
        long left = all - 100 - given;
        assertThat(((TableAnswer.Reserved) apply(new TableCommand.Reserve(1, all))).bytes())
                .isLessThan(left);
        table.endSession(OTHER);
        table.endSession(ME);
        assertThat(((TableAnswer.Reserved) apply(new TableCommand.Reserve(1, all))).bytes())
                .isGreaterThanOrEqualTo(given);
    }

    @Test
    void aClientGivesItsOwnNumbersInTheirOrder() {
        long first = ((TableAnswer.Reserved) apply(new TableCommand.Reserve(3, 0))).first();
        assertThat(apply(numbered("a", first)))
                .isInstanceOfSatisfying(
                        TableAnswer.Known.class,
                        made -> assertThat(made.inode().number()).isEqualTo(first));
        refused(Reason.INVALID, () -> apply(numbered("b", first)));
        apply(numbered("b", first + 2));
        refused(Reason.INVALID, () -> apply(numbered("c", first + 1)));
        refused(Reason.INVALID, () -> table.apply(OTHER, numbered("c", first + 3), now));

        assertThat(make(Inode.ROOT, "d", FILE).number()).isEqualTo(first + 3);
    }

    @Test
    void numbersThatAreSetAsideTakeRoom() {
        TableState small = new TableState(4);
        var numbers = (TableAnswer.Reserved) small.apply(ME, new TableCommand.Reserve(3, 0), now);
        refused(
                Reason.FULL,
                () -> small.apply(OTHER, new TableCommand.Make(Inode.ROOT, "x", FILE, 0, 0, 0, null), now));
        small.apply(ME, numbered("a", numbers.first()), now);
        small.apply(ME, new TableCommand.Reserve(2, 0), now);
        refused(Reason.FULL, () -> small.apply(ME, new TableCommand.Reserve(3, 0), now));

        small.endSession(ME);
        small.apply(OTHER, new TableCommand.Make(Inode.ROOT, "x", FILE, 0, 0, 0, null), now);
        assertThat(small.clients()).isEmpty();
    }

    @Test
    void pagesGoThroughAllFilesInTheOrderOfPaths() {
        List<String> paths = List.of("/a-b", "/a/1", "/a/b/2", "/a/b-", "/a0", "/b", "/z/z/z");
        for (int i = 0; i < paths.size(); i++) {
            begin(i);
            apply(publish(paths.get(i), i, PutMode.CREATE, null));
        }
        List<String> seen = new ArrayList<>();
        @Nullable String after = null;
        boolean more = true;
        while (more) {
            TableAnswer.Files page = (TableAnswer.Files) table.answer(new TableQuery.Files("/", after, 2));
            page.files().forEach(file -> seen.add(file.path()));
            after = page.files().getLast().path();
            more = page.more();
        }

        assertThat(seen).isEqualTo(paths.stream().sorted().toList());
        assertThat(files("/a")).containsExactly("/a-b", "/a/1", "/a/b-", "/a/b/2", "/a0");
        assertThat(files("/a/b")).containsExactly("/a/b-", "/a/b/2");
        assertThat(files("/a/b/")).containsExactly("/a/b/2");
    }

    @Test
    void aPageEndsWhenItsFilesHaveManyExtents() {
        for (int i = 1; i <= 20; i++) {
            Inode file = make(Inode.ROOT, "f" + i, FILE);
            begin(i);
            int generation = i;
            apply(write(
                    file.number(),
                    segment(i),
                    LongStream.range(0, 1000)
                            .mapToObj(at -> new Extent(2 * at, 1, generation(generation), at % 100))
                            .toList()));
        }
        TableAnswer.Files files = (TableAnswer.Files) table.answer(new TableQuery.Files("/", null, 1000));
        assertThat(files.files()).hasSizeBetween(10, 12);
        assertThat(files.more()).isTrue();
        TableAnswer.Files rest = (TableAnswer.Files)
                table.answer(new TableQuery.Files("/", files.files().getLast().path(), 1000));
        assertThat(rest.files()).hasSize(20 - files.files().size());
        assertThat(rest.more()).isFalse();
        TableAnswer.Entries names =
                (TableAnswer.Entries) table.answer(new TableQuery.Directory(Inode.ROOT, null, 1000));
        assertThat(names.entries()).hasSizeBetween(10, 12);
        assertThat(names.more()).isTrue();
    }

    @Test
    void aPageEndsWhereItsFilesAreTooMuchForAFrame() {
        for (int i = 0; i < 900; i++) {
            apply(new TableCommand.Publish("/%04d".formatted(i), inline(i, InlineBytes.MOST), 7, PutMode.CREATE, null));
        }

        int found = 0;
        TableAnswer.Entries page;
        for (String after = null; ; after = page.entries().getLast().name()) {
            page = (TableAnswer.Entries) table.answer(new TableQuery.Directory(Inode.ROOT, after, 1000));
            found += page.entries().size();
            assertThat(Json.bytes(page).length).isLessThan(4 << 20);
            if (!page.more()) {
                break;
            }
        }
        assertThat(found).isEqualTo(900);
    }

    private static TableCommand.Make numbered(String name, long number) {
        return new TableCommand.Make(Inode.ROOT, name, FILE, 0, 0, 0, null).as(number);
    }

    private static TableCommand<?> attribute(Inode inode, String name, byte[] value) {
        return new TableCommand.SetAttribute(inode.number(), name, value, false, false);
    }
}
