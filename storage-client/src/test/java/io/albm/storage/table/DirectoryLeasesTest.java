// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DirectoryLeasesTest {
    private static final long TERM = DirectoryLeases.TERM.toNanos();
    private static final long DIRECTORY = 7;

    private final DirectoryLeases leases = new DirectoryLeases();

    private void give(String client, long now) {
        leases.hear(client, 0, 0, now);
        assertThat(leases.grant(client, DIRECTORY, now)).isTrue();
    }

    @Test
    void aChangeOfAnotherWaitsUntilTheRecallIsConfirmed() {
        give("a", 0);

        assertThat(leases.recall(Set.of(DIRECTORY), "b", 1)).hasValue(TERM);
        assertThat(leases.notice("a")).isEqualTo(new DirectoryLeases.Notice(1, List.of(DIRECTORY)));
        leases.hear("a", 1, 0, 2);

        assertThat(leases.recall(Set.of(DIRECTORY), "b", 3)).isEmpty();
        assertThat(leases.notice("a").recalled()).isEmpty();
    }

    @Test
    void theHoldersOwnChangeWaitsForOthersOnly() {
        give("a", 0);
        assertThat(leases.recall(Set.of(DIRECTORY), "a", 1)).isEmpty();

        give("b", 1);
        assertThat(leases.recall(Set.of(DIRECTORY), "a", 1)).hasValue(1 + TERM);
        assertThat(leases.notice("a").recalled()).isEmpty();
        assertThat(leases.notice("b").recalled()).containsExactly(DIRECTORY);
    }

    @Test
    void aClientThatIsHeardKeepsWhatIsNotRecalled() {
        give("a", 0);
        leases.hear("a", 0, 0, TERM - 1);

        assertThat(leases.recall(Set.of(DIRECTORY), "b", TERM)).hasValue(2 * TERM - 1);
    }

    @Test
    void aRecalledLeaseIsNotMadeLonger() {
        give("a", 0);
        leases.recall(Set.of(DIRECTORY), "b", 1);
        leases.hear("a", 0, 0, 2);

        assertThat(leases.recall(Set.of(DIRECTORY), "b", 3)).hasValue(TERM);
        assertThat(leases.recall(Set.of(DIRECTORY), "b", TERM)).isEmpty();
    }

    @Test
    void aClientThatIsSilentLosesItsLeases() {
        give("a", 0);

        assertThat(leases.recall(Set.of(DIRECTORY), "b", TERM)).isEmpty();
        assertThat(leases.grant("a", DIRECTORY, TERM)).isFalse();
    }

    @Test
    void aRecalledLeaseIsNotGivenAgainBeforeItIsConfirmed() {
        give("a", 0);
        leases.recall(Set.of(DIRECTORY), "b", 1);

        assertThat(leases.grant("a", DIRECTORY, 2)).isFalse();
        leases.hear("a", 1, 0, 3);
        assertThat(leases.grant("a", DIRECTORY, 3)).isTrue();
    }

    @Test
    void theOldestLeaseIsRecalledForOneTooMany() {
        leases.hear("a", 0, 0, 0);
        for (long directory = 1; directory <= DirectoryLeases.MOST_PER_CLIENT + 1; directory++) {
            assertThat(leases.grant("a", directory, 0)).isTrue();
        }

        assertThat(leases.notice("a").recalled()).containsExactly(1L);
    }

    @Test
    void noMoreLeasesAreGivenThanThereMayBe() {
        int clients = DirectoryLeases.MOST / DirectoryLeases.MOST_PER_CLIENT;
        for (int client = 0; client < clients; client++) {
            leases.hear("c-" + client, 0, 0, 0);
            for (long directory = 1; directory <= DirectoryLeases.MOST_PER_CLIENT; directory++) {
                assertThat(leases.grant("c-" + client, directory, 0)).isTrue();
            }
        }
        leases.hear("late", 0, 0, TERM - 1);

        assertThat(leases.grant("late", 1, TERM - 1)).isFalse();
        assertThat(leases.grant("late", 1, TERM))
                .as("when the others are silent")
                .isTrue();
    }

    @Test
    void whatAClientHasGivenUpIsSettled() {
        leases.hear("a", 0, 5, 0);

        assertThat(leases.isSettled("a", 5)).isTrue();
        assertThat(leases.isSettled("a", 6)).isFalse();
        assertThat(leases.isSettled("b", 1)).isFalse();
    }
}
