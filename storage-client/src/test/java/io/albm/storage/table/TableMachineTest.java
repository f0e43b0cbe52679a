// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import io.albm.storage.Inode;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import io.albm.storage.TableRefusal;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class TableMachineTest {
    private static final String ME = "me";
    private static final String GENERATION = "0123456789abcdeffedcba9876543210";

    private TableMachine machine = new TableMachine(10_000);

    private static TableCommand<?> make(String name) {
        return new TableCommand.Make(Inode.ROOT, name, 0100644, 0, 0, 0, null);
    }

    private TableOutcome apply(long number, long settled, TableCommand<?> command) {
        return machine.apply(new LogEntry.Change(ME, number, settled, Instant.EPOCH, command));
    }

    private static TableCall.Change call(long number, long settled) {
        return new TableCall.Change(ME, number, settled, make("again"), false);
    }

    @Test
    void remembersHowChangesWentUntilTheClientHasTheAnswers() {
        TableOutcome made = apply(1, 0, make("a"));
        TableOutcome refused = apply(2, 0, make("a"));

        assertThat(machine.before(call(1, 0))).isSameAs(made);
        assertThat(machine.before(call(2, 0))).isSameAs(refused);
        assertThat(refused.refused()).isEqualTo(TableRefusal.Reason.EXISTS);
        assertThat(machine.before(call(3, 0))).isNull();

        apply(3, 1, make("b"));

        assertThat(machine.before(call(2, 0))).isSameAs(refused);
        refused(WireCode.REFUSED, call(1, 0));
    }

    @Test
    void knowsWhatItHasMadeForAClient() {
        apply(1, 0, make("a"));
        apply(3, 0, make("b"));

        assertThat(machine.hasMade(ME, List.of(1L, 3L))).isTrue();
        assertThat(machine.hasMade(ME, List.of(1L, 2L, 3L))).isFalse();
        assertThat(machine.hasMade("another", List.of(1L))).isFalse();

        apply(4, 3, make("c"));

        assertThat(machine.hasMade(ME, List.of(1L, 3L, 4L))).isTrue();
        machine = TableSnapshot.read(10_000, TableSnapshot.write(machine));
        assertThat(machine.hasMade(ME, List.of(3L, 4L))).isTrue();
        assertThat(machine.hasMade(ME, List.of(5L))).isFalse();
        assertThat(machine.entries()).isEqualTo(3);
    }

    @Test
    void remembersABoundedNumberOfThem() {
        for (int i = 1; i <= TableMachine.MAX_UNSETTLED; i++) {
            apply(i, 0, make("f-" + i));
        }

        refused(WireCode.BUSY, call(TableMachine.MAX_UNSETTLED + 1, 0));
        assertThat(machine.before(call(TableMachine.MAX_UNSETTLED + 1, 1))).isNull();
    }

    @Test
    void aSnapshotHasTheSessions() {
        TableOutcome made = apply(1, 0, make("a"));
        apply(2, 0, make("a"));
        apply(3, 0, new TableCommand.Begin(GENERATION));

        machine = TableSnapshot.read(10_000, TableSnapshot.write(machine));

        TableOutcome again = machine.before(call(1, 0));
        assertThat(again).usingRecursiveComparison().isEqualTo(made);
        assertThat(machine.before(call(2, 0))).extracting(TableOutcome::refused).isEqualTo(TableRefusal.Reason.EXISTS);
        assertThat(machine.clients()).containsExactly(ME);
        assertThat(apply(4, 3, new TableCommand.Cancel(GENERATION)).get(TableAnswer.Cancelled.class))
                .isEqualTo(new TableAnswer.Cancelled(true));
    }

    @Test
    void aSessionThatEndsIsForgotten() {
        apply(1, 0, new TableCommand.Begin(GENERATION));

        machine.apply(new LogEntry.End(ME));

        assertThat(machine.clients()).isEmpty();
        assertThat(machine.answer(null, new TableQuery.Usage())
                        .get(TableAnswer.Used.class)
                        .inodes())
                .isEqualTo(1);
        assertThat(apply(1, 0, new TableCommand.Cancel(GENERATION)).get(TableAnswer.Cancelled.class))
                .isEqualTo(new TableAnswer.Cancelled(false));
    }

    @Test
    void aTruncatedSnapshotIsRefused() {
        apply(1, 0, make("a"));
        byte[] whole = TableSnapshot.write(machine).getFirst();
        byte[] truncated = Arrays.copyOf(whole, whole.length - 9);

        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> TableSnapshot.read(10_000, List.of(truncated)));
    }

    @Test
    void aSnapshotOfManyBlocksIsReadAsItWas() {
        for (int i = 0; i < 9_000; i++) {
            apply(i + 1, i, make("a file with a long name, so that many of them are many bytes " + i));
        }
        List<byte[]> chunks = TableSnapshot.write(machine);

        TableMachine read = TableSnapshot.read(10_000, chunks);

        assertThat(read.entries()).isEqualTo(9_000);
        List<SavedLine> lines = new ArrayList<>();
        machine.state().save(lines::add);
        List<SavedLine> back = new ArrayList<>();
        read.state().save(back::add);
        assertThat(back).usingRecursiveFieldByFieldElementComparator().isEqualTo(lines);
    }

    @Test
    void aSnapshotOfAnotherFormatIsRefused() {
        assertThatExceptionOfType(UncheckedIOException.class)
                .isThrownBy(() -> TableSnapshot.read(10_000, List.of(new byte[] {31, -117, 8, 0, 0})))
                .withMessageContaining("another version");
    }

    private void refused(WireCode code, TableCall.Change change) {
        assertThatExceptionOfType(WireException.class)
                .isThrownBy(() -> machine.before(change))
                .extracting(WireException::code)
                .isEqualTo(code);
    }
}
