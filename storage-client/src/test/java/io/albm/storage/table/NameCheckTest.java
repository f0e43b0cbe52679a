// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.storage.FsckReport;
import io.albm.storage.Inode;
import io.albm.storage.StripeSettings;
import io.albm.storage.StripedFiles;
import io.albm.storage.StripedStore;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.mount.LocalTable;
import io.albm.storage.mount.MemoryBlocks;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a check of the storage says of file tables that cannot be. */
class NameCheckTest {
    private static final int DIRECTORY = 0040755;
    private static final int REGULAR = 0100644;

    private final TableState state = new TableState(100);
    private long directory;
    private long file;

    @BeforeEach
    void makeNames() {
        directory = make(Inode.ROOT, "d", DIRECTORY);
        make(directory, "e", DIRECTORY);
        file = make(directory, "f", REGULAR);
        state.apply("c", new TableCommand.Link(file, Inode.ROOT, "g"), Instant.EPOCH);
    }

    @Test
    void findsNothingInATableThatIsRight() throws IOException {
        FsckReport report = check(line -> line);
        assertThat(report.clean()).isTrue();
        assertThat(report.names()).isEqualTo(4);
        assertThat(report.unnamedInodes()).isZero();
    }

    @Test
    void findsWrongLinkCounts() throws IOException {
        assertThat(check(line -> withLinks(line, file, 7)).damage())
                .containsExactly("/g: has a link count of 7, expected 2");
        assertThat(check(line -> withLinks(line, directory, 2)).damage())
                .containsExactly("/d: has a link count of 2, expected 3");
    }

    @Test
    void countsInodesWithoutAName() throws IOException {
        FsckReport report = checkLines(
                line -> line instanceof SavedLine.Name name && name.name().equals("e") ? List.of() : List.of(line));
        assertThat(report.unnamedInodes()).isEqualTo(1);
        assertThat(report.damage()).containsExactly("/d: has a link count of 3, expected 2");
    }

    private static SavedLine withLinks(SavedLine line, long inode, int links) {
        if (!(line instanceof SavedLine.Node node) || node.inode().number() != inode) {
            return line;
        }
        Inode i = node.inode();
        Inode wrong = new Inode(
                i.number(),
                i.mode(),
                links,
                i.uid(),
                i.gid(),
                i.device(),
                i.accessed(),
                i.modified(),
                i.changed(),
                i.content(),
                new byte[0],
                i.attributes(),
                i.parent());
        return new SavedLine.Node(wrong, node.attributes(), node.implied());
    }

    private long make(long parent, String name, int mode) {
        TableAnswer made = state.apply("c", new TableCommand.Make(parent, name, mode, 0, 0, 0, null), Instant.EPOCH);
        return ((TableAnswer.Known) made).inode().number();
    }

    private FsckReport check(UnaryOperator<SavedLine> change) throws IOException {
        return checkLines(line -> List.of(change.apply(line)));
    }

    private interface Damage {
        List<SavedLine> of(SavedLine line);
    }

    private FsckReport checkLines(Damage damage) throws IOException {
        List<SavedLine> lines = new ArrayList<>();
        state.save(line -> lines.addAll(damage.of(line)));
        TableState loaded = TableState.load(100, lines.iterator());
        return new StripedStore(new StripedFiles(
                        new LocalTable(loaded, "c", request -> {}),
                        new MemoryBlocks(),
                        Map::of,
                        StripeSettings.DEFAULT,
                        new Random(1)))
                .check(true);
    }
}
