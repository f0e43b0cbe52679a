// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.storage.TableCommand;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class OverrulingsTest {
    private static final String ME = "c";
    private static final long DIRECTORY = 7;
    private static final long EPOCH = 3;

    private final TableMachine machine = new TableMachine(100);
    private final Overrulings overrulings = machine.state().overrulings();

    private void lose(long directory, Grant last) {
        machine.apply(new LogEntry.Overruled(ME, Set.of(directory), last));
    }

    private static boolean isTaken(Overrulings by, long directory, Grant grant) {
        return !by.has(ME, Set.of(1L, directory), grant);
    }

    private boolean isTaken(long directory, Grant grant) {
        return isTaken(overrulings, directory, grant);
    }

    @Test
    void whatWasChangedUnderALostLeaseIsNotTaken() {
        lose(DIRECTORY, new Grant(EPOCH, 4));

        assertThat(isTaken(DIRECTORY, new Grant(EPOCH, 4))).isFalse();
        assertThat(isTaken(DIRECTORY, new Grant(EPOCH, 3))).isFalse();
        assertThat(isTaken(DIRECTORY, new Grant(EPOCH - 1, 9))).isFalse();
        assertThat(isTaken(DIRECTORY, Grant.NONE)).as("who does not say").isFalse();
    }

    @Test
    void whatWasChangedUnderALaterLeaseIsTaken() {
        lose(DIRECTORY, new Grant(EPOCH, 4));
        lose(DIRECTORY, new Grant(EPOCH, 2));

        assertThat(isTaken(DIRECTORY, new Grant(EPOCH, 4))).isFalse();
        assertThat(isTaken(DIRECTORY, new Grant(EPOCH, 5))).isTrue();
        assertThat(isTaken(DIRECTORY, new Grant(EPOCH + 1, 1))).isTrue();
    }

    @Test
    void othersAreTaken() {
        lose(DIRECTORY, new Grant(EPOCH, 4));

        assertThat(isTaken(DIRECTORY + 1, new Grant(EPOCH, 4))).isTrue();
        assertThat(overrulings.has("another", Set.of(DIRECTORY), new Grant(EPOCH, 4)))
                .isFalse();
    }

    @Test
    void nothingIsTakenOfLeadersBeforeThePast() {
        machine.apply(new LogEntry.Past(EPOCH));
        machine.apply(new LogEntry.Past(EPOCH - 1));

        assertThat(isTaken(DIRECTORY, new Grant(EPOCH - 1, 9))).isFalse();
        assertThat(isTaken(DIRECTORY, new Grant(EPOCH, 0))).isTrue();
    }

    @Test
    void ofTooManyDirectoriesAllAreLostUpToTheLast() {
        LongStream.rangeClosed(1, Overrulings.MOST_PER_CLIENT + 1).forEach(lost -> lose(lost, new Grant(EPOCH, lost)));
        lose(DIRECTORY, new Grant(EPOCH, 4));

        assertThat(isTaken(1_000_000, new Grant(EPOCH, Overrulings.MOST_PER_CLIENT + 1)))
                .isFalse();
        assertThat(isTaken(1_000_000, new Grant(EPOCH, Overrulings.MOST_PER_CLIENT + 2)))
                .isTrue();
        assertThat(saved()).hasSize(2);
    }

    @Test
    void anEntryOfTheLogIsShort() {
        Set<Long> many = LongStream.rangeClosed(1, Overrulings.MOST_PER_CLIENT + 1)
                .boxed()
                .collect(Collectors.toSet());

        assertThat(Overrulings.bounded(Set.of(DIRECTORY))).containsExactly(DIRECTORY);
        assertThat(Overrulings.bounded(many)).containsExactly(Overrulings.EVERYWHERE);
    }

    @Test
    void areInTheSnapshotUntilTheyAreNeededNoMore() {
        lose(DIRECTORY, new Grant(EPOCH, 4));
        machine.apply(new LogEntry.Past(EPOCH));
        Overrulings loaded =
                TableSnapshot.read(100, TableSnapshot.write(machine)).state().overrulings();

        assertThat(isTaken(loaded, DIRECTORY, new Grant(EPOCH, 4))).isFalse();
        assertThat(isTaken(loaded, DIRECTORY, new Grant(EPOCH, 5))).isTrue();
        assertThat(isTaken(loaded, DIRECTORY + 1, new Grant(EPOCH - 1, 9))).isFalse();

        machine.apply(new LogEntry.Past(EPOCH + 1));
        assertThat(saved()).containsExactly(new SavedLine.Past(EPOCH + 1));
    }

    @Test
    void endWithTheSession() {
        machine.state().apply(ME, new TableCommand.Reserve(1, 0), Instant.EPOCH);
        lose(DIRECTORY, new Grant(EPOCH, 4));
        machine.apply(new LogEntry.End(ME));

        assertThat(saved()).isEmpty();
    }

    private List<SavedLine> saved() {
        List<SavedLine> lines = new ArrayList<>();
        overrulings.save(lines::add);
        return lines;
    }
}
