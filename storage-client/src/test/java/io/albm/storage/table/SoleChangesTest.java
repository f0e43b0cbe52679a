// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.storage.Inode;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import java.time.Instant;
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
        changes.give((TableAnswer.Reserved) table.apply(ME, new TableCommand.Reserve(count), now));
    }

    private Inode inode(long number) {
        return ((TableAnswer.Known) table.answer(new TableQuery.Get(number))).inode();
    }

    private static TableCommand.Make make(long parent, String name, int mode) {
        return new TableCommand.Make(parent, name, mode, 7, 8, 0, null);
    }

    private TableCommand<?> any(Random random, long directory) {
        String name = "f-" + random.nextInt(8);
        long inode = known.inodeOf(directory, name);
        return switch (inode == KnownNames.ABSENT ? 0 : 1 + random.nextInt(2)) {
            case 0 ->
                random.nextBoolean()
                        ? make(directory, name, 0100000 | random.nextInt(07777))
                        : new TableCommand.Make(directory, name, 0120777, 1, 2, 0, new byte[] {'x'});
            case 1 -> new TableCommand.Unlink(directory, name, false);
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
            if (!changes.hasNumbers()) {
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
        assertThat(changes.needsNumbers(make(directory, "a", FILE))).isTrue();
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
    void whatOthersMayLookAtIsLeftToTheTable() {
        long directory = directory(0755);
        number(10);
        assertThat(changes.apply(make(directory, "a", FILE), now)).as("unknown").isNull();
        lease(directory, false);

        assertThat(changes.apply(make(directory, "a", FILE), now)).as("shared").isNull();
        assertThat(changes.needsNumbers(make(directory, "a", FILE))).isFalse();
    }
}
