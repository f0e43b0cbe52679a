// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.albm.core.node.NodeId;
import io.albm.storage.Content;
import io.albm.storage.Extent;
import io.albm.storage.Fence;
import io.albm.storage.FileInfo;
import io.albm.storage.InlineBytes;
import io.albm.storage.Inode;
import io.albm.storage.PutMode;
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
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;

/** A table without a cluster, and the commands of one client of it. */
abstract class TableHarness {
    static final int FILE = 0100644;
    static final int DIRECTORY = 0040755;
    static final String ME = "me";
    static final String OTHER = "other";

    TableState table = new TableState(1000);
    Instant now = Instant.parse("2026-01-01T00:00:00Z");

    static List<SavedLine> lines(TableState table) {
        List<SavedLine> lines = new ArrayList<>();
        table.save(lines::add);
        return lines;
    }

    TableAnswer apply(TableCommand<?> command) {
        return table.apply(ME, command, now);
    }

    Inode make(long parent, String name, int mode) {
        return ((TableAnswer.Known) apply(new TableCommand.Make(parent, name, mode, 0, 0, 0, null))).inode();
    }

    TableAnswer.Freed unlink(String name, boolean keep) {
        return (TableAnswer.Freed) apply(new TableCommand.Unlink(Inode.ROOT, name, keep));
    }

    TableAnswer rename(String name, String newName, Renaming how) {
        return apply(rename(Inode.ROOT, name, Inode.ROOT, newName, how));
    }

    static TableCommand.Rename rename(long parent, String name, long newParent, String newName, Renaming how) {
        return new TableCommand.Rename(parent, name, newParent, newName, how, false);
    }

    Inode lookup(long parent, String name) {
        return ((TableAnswer.Known) table.answer(new TableQuery.Lookup(parent, name))).inode();
    }

    Inode get(long inode) {
        return ((TableAnswer.Known) table.answer(new TableQuery.Get(inode))).inode();
    }

    Inode find(String path) {
        return ((TableAnswer.Known) table.answer(new TableQuery.Find(path))).inode();
    }

    List<String> files(String prefix) {
        return ((TableAnswer.Files) table.answer(new TableQuery.Files(prefix, null, 100)))
                .files().stream().map(FileInfo::path).toList();
    }

    List<String> unneeded(Segment... contents) {
        List<String> generations =
                List.of(contents).stream().map(Segment::generation).toList();
        return ((TableAnswer.Generations) table.answer(new TableQuery.Unneeded(new NodeId("n-1"), generations)))
                .generations();
    }

    void begin(int generation) {
        apply(new TableCommand.Begin(generation(generation)));
    }

    Segment stored(long inode, int generation) {
        begin(generation);
        Segment segment = segment(generation);
        apply(write(inode, segment, List.of(new Extent(0, segment.length(), segment.generation(), 0))));
        return segment;
    }

    static TableCommand.Change write(long inode, Segment segment, List<Extent> ranges) {
        return new TableCommand.Change(inode, null, null, List.of(), segment, ranges, 7, null, false);
    }

    /** The table as a snapshot of it is. */
    void reload() {
        table = TableState.load(1000, LineBytes.read(LineBytes.of(lines(table))).iterator());
    }

    static TableCommand.Change whole(Inode file, Segment segment) {
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

    static Segment inline(int generation, int bytes) {
        return Segment.ofInline(generation(generation), new InlineBytes(new byte[bytes]));
    }

    static TableCommand.Publish publish(String path, int generation, PutMode mode, @Nullable Fence fence) {
        return new TableCommand.Publish(path, segment(generation), 7, mode, fence);
    }

    static String generation(int number) {
        return "%032x".formatted(number);
    }

    static Segment segment(int generation) {
        return new Segment(
                generation(generation),
                100 + generation,
                new StripeGeometry(1, 1, 65_536),
                List.of(new NodeId("n-1"), new NodeId("n-2")));
    }

    static void refused(Reason reason, ThrowingCallable change) {
        assertThatExceptionOfType(TableRefusal.class)
                .isThrownBy(change)
                .extracting(TableRefusal::reason)
                .isEqualTo(reason);
    }
}
