// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.albm.core.json.Json;
import io.albm.core.node.NodeId;
import io.albm.storage.Content;
import io.albm.storage.Extent;
import io.albm.storage.Fence;
import io.albm.storage.FileInfo;
import io.albm.storage.InlineBytes;
import io.albm.storage.Inode;
import io.albm.storage.LockOwner;
import io.albm.storage.LockRange;
import io.albm.storage.PutMode;
import io.albm.storage.RangeLock;
import io.albm.storage.Segment;
import io.albm.storage.StripeGeometry;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableCommand.Renaming;
import io.albm.storage.TableQuery;
import io.albm.storage.TableRefusal;
import io.albm.storage.TableRefusal.Reason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TableStateTest {
    private static final int FILE = 0100644;
    private static final int DIRECTORY = 0040755;
    private static final String ME = "me";
    private static final String OTHER = "other";
    private static final LockOwner OWNER = new LockOwner(LockOwner.Kind.POSIX, 1);

    private TableState table = new TableState(1000);
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

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

    @Test
    void aSegmentTakesRangesOfAFile() {
        Inode file = make(Inode.ROOT, "f", FILE);
        Segment first = stored(file.number(), 1);
        begin(2);

        TableAnswer.Published answer = (TableAnswer.Published)
                apply(write(file.number(), segment(2), List.of(new Extent(50, 70, generation(2), 3))));

        assertThat(answer.freed()).isEmpty();
        assertThat(answer.inode().size()).isEqualTo(120);
        assertThat(get(file.number()).content())
                .isEqualTo(new Content(
                        120,
                        Content.UNKNOWN,
                        List.of(first, segment(2)),
                        List.of(new Extent(0, 50, generation(1), 0), new Extent(50, 70, generation(2), 3))));
        assertThat(unneeded(first, segment(2))).isEmpty();
    }

    @Test
    void aSegmentThatNobodyNeedsIsFreed() {
        Inode file = make(Inode.ROOT, "f", FILE);
        Segment first = stored(file.number(), 1);
        begin(2);
        TableAnswer.Published over = (TableAnswer.Published)
                apply(write(file.number(), segment(2), List.of(new Extent(0, first.length(), generation(2), 0))));
        assertThat(over.freed()).containsExactly(first);

        TableAnswer.Published cut = (TableAnswer.Published) apply(TableCommand.Change.resize(file.number(), 0));
        assertThat(cut.freed()).containsExactly(segment(2));
        assertThat(unneeded(first, segment(2))).containsExactly(generation(1), generation(2));
    }

    @Test
    void whatIsCutOffIsAHoleWhenTheFileGrowsAgain() {
        Inode file = make(Inode.ROOT, "f", FILE);
        Segment first = stored(file.number(), 1);

        apply(TableCommand.Change.resize(file.number(), 40));
        apply(TableCommand.Change.resize(file.number(), 90));
        apply(new TableCommand.Change(
                file.number(), null, null, List.of(new TableCommand.Hole(10, 20)), null, List.of(), 0, null, false));

        assertThat(get(file.number()).content())
                .isEqualTo(new Content(
                        90,
                        Content.UNKNOWN,
                        List.of(first),
                        List.of(new Extent(0, 10, generation(1), 0), new Extent(20, 20, generation(1), 20))));
    }

    @Test
    void aSegmentOfAFileMovesToAnotherNode() {
        Inode file = make(Inode.ROOT, "f", FILE);
        stored(file.number(), 1);
        refused(Reason.NOT_ANNOUNCED, () -> apply(relocate(file, 1)));
        begin(1);
        apply(relocate(file, 1));

        assertThat(Objects.requireNonNull(get(file.number()).content())
                        .segments()
                        .getFirst()
                        .nodes())
                .containsExactly(new NodeId("n-3"), new NodeId("n-2"));
        assertThat(unneeded(segment(1))).containsExactly(generation(1));
        begin(1);
        refused(Reason.CHANGED, () -> apply(relocate(file, 1)));
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
    void contentThatIsNotAnnouncedIsRefused() {
        refused(Reason.NOT_ANNOUNCED, () -> apply(publish("/a", 1, PutMode.CREATE, null)));
        table.apply(OTHER, new TableCommand.Begin(generation(1)), now);
        refused(Reason.NOT_ANNOUNCED, () -> apply(publish("/a", 1, PutMode.CREATE, null)));
        refused(Reason.NOT_ANNOUNCED, () -> begin(1));
    }

    @Test
    void aPathBringsItsDirectoriesAndTakesThemAlong() {
        make(Inode.ROOT, "asked", DIRECTORY);
        begin(1);
        apply(publish("/asked/x/y/file", 1, PutMode.CREATE, null));
        assertThat(files("/asked/")).containsExactly("/asked/x/y/file");

        TableAnswer.Published removed = (TableAnswer.Published) apply(new TableCommand.Remove("/asked/x/y/file", null));

        assertThat(removed.freed()).containsExactly(segment(1));
        assertThat(removed.inode().content()).isEqualTo(Content.of(segment(1), 7));
        refused(Reason.NO_ENTRY, () -> find("/asked/x"));
        assertThat(find("/asked").isDirectory()).isTrue();
    }

    @Test
    void aReplacedFileKeepsItsInode() {
        begin(1);
        begin(2);
        apply(publish("/a", 1, PutMode.CREATE, null));
        long inode = find("/a").number();

        TableAnswer.Published replaced = (TableAnswer.Published) apply(publish("/a", 2, PutMode.REPLACE, null));

        assertThat(replaced.freed()).containsExactly(segment(1));
        assertThat(find("/a").number()).isEqualTo(inode);
        begin(3);
        refused(Reason.EXISTS, () -> apply(publish("/a", 3, PutMode.CREATE, null)));
        refused(Reason.NOT_DIRECTORY, () -> apply(publish("/a/b", 3, PutMode.CREATE, null)));
    }

    @Test
    void anOlderEpochIsRefused() {
        begin(1);
        begin(2);
        apply(publish("/a", 1, PutMode.CREATE, new Fence("job", 5)));

        refused(Reason.FENCED, () -> apply(publish("/b", 2, PutMode.CREATE, new Fence("job", 4))));
        refused(Reason.FENCED, () -> apply(new TableCommand.Remove("/a", new Fence("job", 4))));
        apply(new TableCommand.Remove("/a", new Fence("job", 5)));
    }

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

    private static TableCommand.Make numbered(String name, long number) {
        return new TableCommand.Make(Inode.ROOT, name, FILE, 0, 0, 0, null).as(number);
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

    private static TableCommand<?> attribute(Inode inode, String name, byte[] value) {
        return new TableCommand.SetAttribute(inode.number(), name, value, false, false);
    }

    @Test
    void aSnapshotIsTheTable() {
        Inode d = make(Inode.ROOT, "d", DIRECTORY);
        Inode file = make(d.number(), "f", FILE);
        apply(new TableCommand.Link(file.number(), Inode.ROOT, "g"));
        apply(new TableCommand.SetAttribute(file.number(), "user.a", new byte[] {1, 2}, false, false));
        stored(file.number(), 1);
        begin(2);
        begin(3);
        apply(publish("/p/q", 3, PutMode.CREATE, new Fence("job", 5)));
        Inode kept = make(Inode.ROOT, "kept", FILE);
        unlink("kept", true);
        apply(new TableCommand.Reserve(3, 0));
        List<SavedLine> before = lines(table);

        reload();

        assertThat(lines(table))
                .usingRecursiveFieldByFieldElementComparator()
                .containsExactlyInAnyOrderElementsOf(before);
        assertThat(get(file.number()).links()).isEqualTo(2);
        assertThat(((TableAnswer.Value) table.answer(new TableQuery.GetAttribute(file.number(), "user.a"))).value())
                .containsExactly(1, 2);
        assertThat(make(Inode.ROOT, "new", FILE).number()).isGreaterThan(kept.number());
        apply(publish("/p/r", 2, PutMode.CREATE, new Fence("job", 5)));
        apply(new TableCommand.Release(kept.number()));
        apply(new TableCommand.Remove("/p/r", null));
        apply(new TableCommand.Remove("/p/q", null));
        refused(Reason.NO_ENTRY, () -> find("/p"));
    }

    @Test
    void requestsAndAnswersAreTheSameBehindTheWire() {
        TableCommand<?> command = new TableCommand.Make(1, "ä b", FILE, 1, 2, 0, new byte[] {9});
        assertThat(Json.read(Json.bytes(command), TableCommand.class))
                .usingRecursiveComparison()
                .isEqualTo(command);
        TableQuery<?> query = new TableQuery.Unneeded(new NodeId("n-1"), List.of(generation(1)));
        assertThat(Json.read(Json.bytes(query), TableQuery.class)).isEqualTo(query);
        TableAnswer answer = apply(command);
        assertThat(Json.read(Json.bytes(answer), TableAnswer.class))
                .usingRecursiveComparison()
                .isEqualTo(answer);
        TableAnswer used = table.answer(new TableQuery.Usage());
        assertThat(Json.read(Json.bytes(used), TableAnswer.class)).isEqualTo(used);
    }

    private static List<SavedLine> lines(TableState table) {
        List<SavedLine> lines = new ArrayList<>();
        table.save(lines::add);
        return lines;
    }

    private void later() {
        now = now.plusSeconds(1);
    }

    private TableAnswer apply(TableCommand<?> command) {
        return table.apply(ME, command, now);
    }

    private Inode make(long parent, String name, int mode) {
        return ((TableAnswer.Known) apply(new TableCommand.Make(parent, name, mode, 0, 0, 0, null))).inode();
    }

    private TableAnswer.Freed unlink(String name, boolean keep) {
        return (TableAnswer.Freed) apply(new TableCommand.Unlink(Inode.ROOT, name, keep));
    }

    private TableAnswer rename(String name, String newName, Renaming how) {
        return apply(rename(Inode.ROOT, name, Inode.ROOT, newName, how));
    }

    private static TableCommand.Rename rename(long parent, String name, long newParent, String newName, Renaming how) {
        return new TableCommand.Rename(parent, name, newParent, newName, how, false);
    }

    private Inode lookup(long parent, String name) {
        return ((TableAnswer.Known) table.answer(new TableQuery.Lookup(parent, name))).inode();
    }

    private Inode get(long inode) {
        return ((TableAnswer.Known) table.answer(new TableQuery.Get(inode))).inode();
    }

    private Inode find(String path) {
        return ((TableAnswer.Known) table.answer(new TableQuery.Find(path))).inode();
    }

    private List<String> files(String prefix) {
        return ((TableAnswer.Files) table.answer(new TableQuery.Files(prefix, null, 100)))
                .files().stream().map(FileInfo::path).toList();
    }

    private List<String> unneeded(Segment... contents) {
        List<String> generations =
                List.of(contents).stream().map(Segment::generation).toList();
        return ((TableAnswer.Generations) table.answer(new TableQuery.Unneeded(new NodeId("n-1"), generations)))
                .generations();
    }

    private void begin(int generation) {
        apply(new TableCommand.Begin(generation(generation)));
    }

    private Segment stored(long inode, int generation) {
        begin(generation);
        Segment segment = segment(generation);
        apply(write(inode, segment, List.of(new Extent(0, segment.length(), segment.generation(), 0))));
        return segment;
    }

    private static TableCommand.Change write(long inode, Segment segment, List<Extent> ranges) {
        return new TableCommand.Change(inode, null, null, List.of(), segment, ranges, 7, null, false);
    }

    @Test
    void aShortFileIsInTheTable() {
        Inode file = make(Inode.ROOT, "f", FILE);
        Segment segment = inline(1, 100);

        apply(whole(file, segment));
        apply(new TableCommand.Publish("/g", inline(2, 50), 7, PutMode.CREATE, null));

        reload();
        assertThat(get(file.number()).content()).isEqualTo(Content.of(segment, 7));
        assertThat(lookup(Inode.ROOT, "g").size()).isEqualTo(50);
        assertThat(unlink("f", false).freed()).containsExactly(segment);
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

    /** The table as a snapshot of it is. */
    private void reload() {
        table = TableState.load(1000, LineBytes.read(LineBytes.of(lines(table))).iterator());
    }

    private static TableCommand.Change whole(Inode file, Segment segment) {
        return new TableCommand.Change(
                file.number(),
                null,
                0L,
                List.of(),
                segment,
                Content.of(segment, 7).extents(),
                7,
                segment.length(),
                false);
    }

    private static Segment inline(int generation, int bytes) {
        return Segment.ofInline(generation(generation), new InlineBytes(new byte[bytes]));
    }

    private static TableCommand.Relocate relocate(Inode file, int generation) {
        return new TableCommand.Relocate(file.number(), generation(generation), new NodeId("n-1"), new NodeId("n-3"));
    }

    private static TableCommand.Publish publish(String path, int generation, PutMode mode, @Nullable Fence fence) {
        return new TableCommand.Publish(path, segment(generation), 7, mode, fence);
    }

    private static String generation(int number) {
        return "%032x".formatted(number);
    }

    private static Segment segment(int generation) {
        return new Segment(
                generation(generation),
                100 + generation,
                new StripeGeometry(1, 1, 65_536),
                List.of(new NodeId("n-1"), new NodeId("n-2")));
    }

    private static void refused(Reason reason, ThrowingCallable change) {
        assertThatExceptionOfType(TableRefusal.class)
                .isThrownBy(change)
                .extracting(TableRefusal::reason)
                .isEqualTo(reason);
    }
}
