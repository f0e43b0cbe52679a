// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.node.NodeId;
import io.albm.storage.Content;
import io.albm.storage.Extent;
import io.albm.storage.InlineBytes;
import io.albm.storage.Inode;
import io.albm.storage.Segment;
import io.albm.storage.StripeGeometry;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a client makes in a copy is what the table makes of the same. */
class SoleChangesTest {
    private static final String ME = "me";
    private static final int FILE = 0100644;
    private static final long ROOM = 1 << 20;

    private final TableState table = new TableState(10_000);
    private final KnownNames known = new KnownNames();
    private final SoleChanges changes = new SoleChanges(known);
    private Instant now = Instant.ofEpochSecond(1000);

    private long directory(int mode) {
        var made = (TableAnswer.Known)
                table.apply(ME, new TableCommand.Make(Inode.ROOT, "d", 0040000 | mode, 5, 6, 0, null), now);
        return made.inode().number();
    }

    private void lease(long directory, boolean sole) {
        known.put(directory, 1, Map.of(), sole);
        known.learn(inode(directory), 0, known.copies());
    }

    private void number(int count) {
        changes.give((TableAnswer.Reserved) table.apply(ME, new TableCommand.Reserve(count, ROOM), now));
    }

    private Inode inode(long number) {
        return ((TableAnswer.Known) table.answer(new TableQuery.Get(number))).inode();
    }

    private static TableCommand.Make make(long parent, String name, int mode) {
        return new TableCommand.Make(parent, name, mode, 7, 8, 0, null);
    }

    private TableCommand.Change store(long inode, int bytes, Random random) {
        Segment segment = Segment.ofInline("%032x".formatted(random.nextLong()), new InlineBytes(new byte[bytes]));
        Inode file = known.inode(inode);
        Long base = file == null || file.content() == null || random.nextBoolean()
                ? null
                : file.content().fingerprint();
        List<Extent> all = Content.of(segment, 7).extents();
        return new TableCommand.Change(
                inode, base, 0L, List.of(), segment, all, 7, segment.length(), random.nextBoolean());
    }

    private TableCommand<?> any(Random random, long directory) {
        String name = "f-" + random.nextInt(8);
        long inode = known.inodeOf(directory, name);
        boolean isRegular = inode != KnownNames.ABSENT
                && Objects.requireNonNull(known.inode(inode)).isRegular();
        return switch (inode == KnownNames.ABSENT ? 0 : 1 + random.nextInt(isRegular ? 3 : 2)) {
            case 0 ->
                random.nextBoolean()
                        ? make(directory, name, 0100000 | random.nextInt(07777))
                        : new TableCommand.Make(directory, name, 0120777, 1, 2, 0, new byte[] {'x'});
            case 1 -> new TableCommand.Unlink(directory, name, false);
            case 3 -> store(inode, 1 + random.nextInt(InlineBytes.MOST), random);
            default ->
                new TableCommand.SetAttributes(
                        inode,
                        random.nextBoolean() ? random.nextInt(07777) : null,
                        random.nextBoolean() ? random.nextInt(9) : null,
                        null,
                        random.nextBoolean() ? Instant.ofEpochSecond(random.nextInt(99)) : null,
                        random.nextBoolean() ? Instant.ofEpochSecond(random.nextInt(99)) : null,
                        random.nextBoolean());
        };
    }

    @ParameterizedTest
    @ValueSource(ints = {0755, 02755})
    void whatIsMadeHereIsWhatTheTableMakes(int mode) {
        long directory = directory(mode);
        lease(directory, true);
        number(1000);
        Random random = new Random(mode);
        for (int step = 0; step < 2000; step++) {
            now = now.plusMillis(1);
            SoleChanges.Done done = Objects.requireNonNull(changes.apply(any(random, directory), now));

            assertThat(done.answer()).usingRecursiveComparison().isEqualTo(table.apply(ME, done.command(), now));
            assertThat(known.inode(directory)).usingRecursiveComparison().isEqualTo(inode(directory));
            if (!changes.hasNumbers() || changes.needsReserved(store(known.inodeOf(directory, "f-0"), 4096, random))) {
                number(1000);
            }
        }
    }

    @Test
    void whatTheTableMayRefuseIsLeftToIt() {
        long directory = directory(0755);
        lease(directory, true);
        assertThat(changes.apply(make(directory, "a", FILE), now))
                .as("no numbers")
                .isNull();
        assertThat(changes.needsReserved(make(directory, "a", FILE))).isTrue();
        number(10);
        assertThat(changes.apply(make(directory, "a", FILE), now)).isNotNull();

        assertThat(changes.apply(make(directory, "a", FILE), now)).as("there").isNull();
        assertThat(changes.apply(make(directory, "x".repeat(256), FILE), now))
                .as("too long")
                .isNull();
        assertThat(changes.apply(make(directory, "b", 0040755), now))
                .as("a directory")
                .isNull();
        assertThat(changes.apply(new TableCommand.Unlink(directory, "b", false), now))
                .as("absent")
                .isNull();
        assertThat(changes.apply(new TableCommand.Unlink(directory, "a", true), now))
                .as("open")
                .isNull();
    }

    @Test
    void whatTheTableHasNoRoomForIsLeftToIt() {
        long directory = directory(0755);
        lease(directory, true);
        changes.give((TableAnswer.Reserved) table.apply(ME, new TableCommand.Reserve(10, 5000), now));
        long file = made(make(directory, "a", FILE));
        TableCommand.Change store = store(file, 3000, new Random(1));
        assertThat(changes.apply(store, now)).isNotNull();

        assertThat(changes.apply(store, now)).as("2000 bytes are left").isNull();
        assertThat(changes.needsReserved(store)).isTrue();
        changes.give((TableAnswer.Reserved) table.apply(ME, new TableCommand.Reserve(10, 100), now));
        assertThat(changes.needsReserved(store)).as("the table gives little").isFalse();
    }

    private long made(TableCommand.Make make) {
        SoleChanges.Done done = Objects.requireNonNull(changes.apply(make, now));
        table.apply(ME, done.command(), now);
        return ((TableAnswer.Known) done.answer()).inode().number();
    }

    @Test
    void contentThatIsElsewhereOrNotAsExpectedIsLeftToTheTable() {
        long directory = directory(0755);
        lease(directory, true);
        number(10);
        long file = made(make(directory, "a", FILE));
        Segment onNodes =
                new Segment("%032x".formatted(1), 10, new StripeGeometry(1, 0, 65_536), List.of(new NodeId("n-1")));
        List<Extent> all = Content.of(onNodes, 7).extents();

        assertThat(changes.apply(new TableCommand.Change(file, null, 0L, List.of(), onNodes, all, 7, 10L, false), now))
                .as("on nodes")
                .isNull();
        TableCommand.Change store = store(file, 10, new Random(1));
        assertThat(changes.apply(
                        new TableCommand.Change(
                                file, 5L, 0L, List.of(), store.segment(), store.ranges(), 7, 10L, false),
                        now))
                .as("not as expected")
                .isNull();
        assertThat(changes.apply(store.lockedBy(ME), now)).as("rests on locks").isNull();
        assertThat(changes.apply(TableCommand.Change.resize(file, 0), now))
                .as("a length")
                .isNull();
    }

    @Test
    void whatOthersMayLookAtIsLeftToTheTable() {
        long directory = directory(0755);
        number(10);
        assertThat(changes.apply(make(directory, "a", FILE), now)).as("unknown").isNull();
        lease(directory, false);

        assertThat(changes.apply(make(directory, "a", FILE), now)).as("shared").isNull();
        assertThat(changes.needsReserved(make(directory, "a", FILE))).isFalse();
    }
}
