// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.node.NodeId;
import io.albm.storage.Content;
import io.albm.storage.Extent;
import io.albm.storage.Fence;
import io.albm.storage.Inode;
import io.albm.storage.PutMode;
import io.albm.storage.Segment;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableRefusal.Reason;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class TableContentTest extends TableHarness {
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

    private static TableCommand.Relocate relocate(Inode file, int generation) {
        return new TableCommand.Relocate(file.number(), generation(generation), new NodeId("n-1"), new NodeId("n-3"));
    }
}
