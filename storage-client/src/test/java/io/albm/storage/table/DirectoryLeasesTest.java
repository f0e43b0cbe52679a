// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DirectoryLeasesTest {
    private static final long TERM = DirectoryLeases.TERM.toNanos();
    private static final long NEXT_CALL = TERM / 2;
    private static final long DIRECTORY = 7;

    private final DirectoryLeases leases = new DirectoryLeases();

    private void give(String client, long now) {
        leases.hear(client, 0, 0, 0, now);
        assertThat(leases.grant(client, DIRECTORY, now)).isNotEqualTo(DirectoryLeases.Lease.NONE);
    }

    /** Gives a lease to another client, too, as that is done where one has it alone. */
    private void share() {
        leases.hear("b", 0, 0, 0, 1);
        leases.grant("b", DIRECTORY, 1);
        leases.hear("a", 1, 0, 0, 1);
        give("b", 1);
        give("a", 1);
    }

    @Test
    void aChangeOfAnotherWaitsUntilTheRecallIsConfirmed() {
        give("a", 0);

        assertThat(leases.recall(Set.of(DIRECTORY), "b", 1)).hasValue(TERM);
        assertThat(leases.notice("a")).isEqualTo(new DirectoryLeases.Notice(1, List.of(DIRECTORY), 1));
        leases.hear("a", 1, 0, 0, 2);

        assertThat(leases.recall(Set.of(DIRECTORY), "b", 3)).isEmpty();
        assertThat(leases.notice("a").recalled()).isEmpty();
    }

    @Test
    void theHoldersOwnChangeWaitsForOthersOnly() {
        give("a", 0);
        assertThat(leases.recall(Set.of(DIRECTORY), "a", 1)).isEmpty();

        share();
        assertThat(leases.recall(Set.of(DIRECTORY), "a", 1)).hasValue(1 + TERM);
        assertThat(leases.notice("a").recalled()).isEmpty();
        assertThat(leases.notice("b").recalled()).containsExactly(DIRECTORY);
    }

    @Test
    void aClientThatIsHeardKeepsWhatIsNotRecalled() {
        give("a", 0);
        leases.hear("a", 0, 0, 0, TERM - 1);

        assertThat(leases.recall(Set.of(DIRECTORY), "b", TERM)).hasValue(2 * TERM - 1);
    }

    @Test
    void aRecalledLeaseIsNotMadeLonger() {
        give("a", 0);
        leases.recall(Set.of(DIRECTORY), "b", 1);
        leases.hear("a", 0, 0, 0, 2);

        assertThat(leases.recall(Set.of(DIRECTORY), "b", 3)).hasValue(TERM);
        assertThat(leases.recall(Set.of(DIRECTORY), "b", TERM)).isEmpty();
    }

    @Test
    void aClientThatIsSilentLosesItsLeases() {
        give("a", 0);

        assertThat(leases.recall(Set.of(DIRECTORY), "b", TERM)).isEmpty();
        assertThat(leases.grant("a", DIRECTORY, TERM)).isEqualTo(DirectoryLeases.Lease.NONE);
    }

    @Test
    void aRecalledLeaseIsNotGivenAgainBeforeItIsConfirmed() {
        give("a", 0);
        leases.recall(Set.of(DIRECTORY), "b", 1);

        assertThat(leases.grant("a", DIRECTORY, 2)).isEqualTo(DirectoryLeases.Lease.NONE);
        leases.hear("a", 1, 0, 0, 3);
        assertThat(leases.grant("a", DIRECTORY, 3)).isNotEqualTo(DirectoryLeases.Lease.NONE);
    }

    @Test
    void theOldestLeaseIsRecalledForOneTooMany() {
        leases.hear("a", 0, 0, 0, 0);
        for (long directory = 1; directory <= DirectoryLeases.MOST_PER_CLIENT + 1; directory++) {
            assertThat(leases.grant("a", directory, 0)).isNotEqualTo(DirectoryLeases.Lease.NONE);
        }

        assertThat(leases.notice("a").recalled()).containsExactly(1L);
    }

    @Test
    void noMoreLeasesAreGivenThanThereMayBe() {
        int clients = DirectoryLeases.MOST / DirectoryLeases.MOST_PER_CLIENT;
        for (int client = 0; client < clients; client++) {
            leases.hear("c-" + client, 0, 0, 0, 0);
            for (long directory = 1; directory <= DirectoryLeases.MOST_PER_CLIENT; directory++) {
                assertThat(leases.grant("c-" + client, client * (long) DirectoryLeases.MOST_PER_CLIENT + directory, 0))
                        .isEqualTo(DirectoryLeases.Lease.SOLE);
            }
        }
        leases.hear("late", 0, 0, 0, TERM - 1);

        assertThat(leases.grant("late", 1, TERM - 1)).isEqualTo(DirectoryLeases.Lease.NONE);
        assertThat(leases.grant("late", 1, TERM))
                .as("when the others are silent")
                .isNotEqualTo(DirectoryLeases.Lease.NONE);
    }

    @Test
    void whereTwoClientsWorkNobodyHasADirectoryAlone() {
        give("a", 0);
        leases.hear("b", 0, 0, 0, 1);
        assertThat(leases.grant("b", DIRECTORY, 1)).isEqualTo(DirectoryLeases.Lease.NONE);
        assertThat(leases.notice("a").recalled()).containsExactly(DIRECTORY);

        leases.hear("a", 1, 0, 0, 2);
        assertThat(leases.grant("b", DIRECTORY, 2)).isEqualTo(DirectoryLeases.Lease.SHARED);
        assertThat(leases.grant("a", DIRECTORY, 2)).isEqualTo(DirectoryLeases.Lease.SHARED);
    }

    @Test
    void whoHasADirectoryAloneIsAskedForItsChangesAndKeepsIt() {
        give("a", 0);
        List<DirectoryLeases.Flush> flushes = leases.flush(leases.soleOfOthers("b"), 1);
        assertThat(leases.unsent(flushes, 1)).hasValue(TERM);
        assertThat(leases.isBehind("a")).isTrue();
        assertThat(leases.notice("a")).isEqualTo(new DirectoryLeases.Notice(1, List.of(), 1));

        leases.hear("a", 1, 0, 0, 2);
        assertThat(leases.unsent(flushes, 2)).isEmpty();
        assertThat(leases.isSole("a", Set.of(DIRECTORY), 2)).isTrue();
        assertThat(leases.soleOfOthers("a")).isEmpty();
    }

    @Test
    void nobodyWaitsForTheChangesOfAClientWhoseLeaseIsOver() {
        give("a", 0);
        List<DirectoryLeases.Flush> flushes = leases.flush(leases.soleOfOthers("b"), 1);

        assertThat(leases.unsent(flushes, TERM)).isEmpty();
    }

    @Test
    void lateChangesAreTakenUntilSomebodyElseAsks() {
        give("a", 0);
        assertThat(leases.isSole("a", Set.of(DIRECTORY), TERM)).isTrue();
        assertThat(leases.flush(leases.soleOfOthers("b"), TERM)).isEmpty();
        assertThat(leases.isSole("a", Set.of(DIRECTORY), TERM)).isFalse();
    }

    @Test
    void nothingOfAClientWhoseSessionIsOverIsRemembered() {
        give("a", 0);
        assertThat(leases.soleOfOthers("b")).containsExactly(DIRECTORY);
        leases.forget("a");
        leases.flush(Set.of(), TERM);

        assertThat(leases.soleOfOthers("b")).isEmpty();
    }

    @Test
    void lateChangesAreNotTakenOnceSomebodyHasWaitedForThemInVain() {
        give("a", 0);
        leases.flush(leases.soleOfOthers("b"), 1);
        assertThat(leases.isSole("a", Set.of(DIRECTORY), TERM - 1)).isTrue();
        assertThat(leases.isSole("a", Set.of(DIRECTORY), TERM)).isFalse();
    }

    @Test
    void whoWasHeardAndHasNotSentItsChangesIsNotWaitedForAnyLonger() {
        give("a", 0);
        List<DirectoryLeases.Flush> flushes = leases.flush(leases.soleOfOthers("b"), 1);
        leases.hear("a", 0, 0, 0, TERM - 1);

        assertThat(leases.unsent(flushes, TERM)).isEmpty();
        assertThat(leases.isSole("a", Set.of(DIRECTORY), TERM)).isFalse();
    }

    @Test
    void lateChangesAreTakenUntilSomebodyElseMakesOne() {
        give("a", 0);
        assertThat(leases.isSole("a", Set.of(DIRECTORY), TERM)).isTrue();
        assertThat(leases.recall(Set.of(DIRECTORY), "b", TERM)).isEmpty();
        assertThat(leases.isSole("a", Set.of(DIRECTORY), TERM)).isFalse();
    }

    @Test
    void aRecalledDirectoryIsAloneUntilThatIsConfirmed() {
        give("a", 0);
        leases.recall(Set.of(DIRECTORY), "b", 1);
        assertThat(leases.isSole("a", Set.of(DIRECTORY), 1)).isTrue();

        leases.hear("a", 1, 0, 0, 2);
        assertThat(leases.isSole("a", Set.of(DIRECTORY), 2)).isFalse();
    }

    @Test
    void nobodyWaitsForALeaseThatIsGivenBack() {
        give("a", 0);
        leases.hear("a", 0, 1, 0, 1);

        assertThat(leases.isHolder("a")).isFalse();
        assertThat(leases.soleOfOthers("b")).isEmpty();
        assertThat(leases.recall(Set.of(DIRECTORY), "b", 2)).isEmpty();
    }

    @Test
    void whatIsGivenBackNeedNotBeConfirmed() {
        give("a", 0);
        assertThat(leases.recall(Set.of(DIRECTORY), "b", 1)).isPresent();
        List<DirectoryLeases.Flush> flushes = leases.flush(leases.soleOfOthers("b"), 1);
        leases.hear("a", 0, 1, 0, 2);

        assertThat(leases.recall(Set.of(DIRECTORY), "b", 3)).isEmpty();
        assertThat(leases.unsent(flushes, 3)).isEmpty();
        assertThat(leases.isBehind("a")).isFalse();
    }

    @Test
    void whatIsGivenBackDoesNotEndALeaseThatWasGivenLater() {
        give("a", 0);
        give("a", 1);
        leases.hear("a", 0, 1, 0, 2);
        assertThat(leases.recall(Set.of(DIRECTORY), "b", 3)).isPresent();

        leases.hear("a", 0, 2, 0, 4);
        assertThat(leases.recall(Set.of(DIRECTORY), "b", 5)).isEmpty();
    }

    @Test
    void aGrantIsNumberedAfterAllOfTheSameSession() {
        give("a", 0);
        leases.recall(Set.of(DIRECTORY), "b", 1);
        leases.hear("a", 1, 1, 0, 3 * TERM);
        give("a", 3 * TERM);

        assertThat(leases.notice("a")).isEqualTo(new DirectoryLeases.Notice(1, List.of(), 2));
    }

    @Test
    void whatAClientHasGivenUpIsSettled() {
        leases.hear("a", 0, 0, 5, 0);

        assertThat(leases.isSettled("a", 5)).isTrue();
        assertThat(leases.isSettled("a", 6)).isFalse();
        assertThat(leases.isSettled("b", 1)).isFalse();
    }

    private static Map<DirectoryLeases.Lost, Set<Long>> lost(long grants) {
        return Map.of(new DirectoryLeases.Lost("a", grants), Set.of(DIRECTORY));
    }

    @Test
    void aLeaseThatHasEndedWithItsTermIsOverruledByAQuestion() {
        give("a", 0);
        assertThat(leases.overruled(TERM)).isEmpty();

        leases.flush(leases.soleOfOthers("b"), TERM);
        assertThat(leases.overruled(TERM)).isEqualTo(lost(1));
        assertThat(leases.overruled(TERM)).as("told once").isEmpty();
    }

    @Test
    void aLeaseIsOverruledWhenSomebodyHasWaitedForItsChangesInVain() {
        give("a", 0);
        leases.flush(leases.soleOfOthers("b"), 1);
        leases.hear("a", 0, 0, 0, TERM - 1);

        assertThat(leases.overruled(TERM - 1)).isEmpty();
        assertThat(leases.overruled(TERM)).isEqualTo(lost(1));
    }

    @Test
    void noLeaseIsOverWhileItsClientSends() {
        give("a", 0);
        var flushes = leases.flush(Set.of(DIRECTORY), 1);
        leases.sends("a", TERM - 1);

        assertThat(leases.unsent(flushes, 2 * TERM)).hasValue(2 * TERM + NEXT_CALL);
        assertThat(leases.recall(Set.of(DIRECTORY), "b", 2 * TERM)).hasValue(2 * TERM + NEXT_CALL);
        assertThat(leases.overruled(2 * TERM)).isEmpty();
        assertThat(leases.isSole("a", Set.of(DIRECTORY), 2 * TERM)).isTrue();
        leases.sent("a", 2 * TERM);
        assertThat(leases.unsent(flushes, 2 * TERM + 1)).hasValue(2 * TERM + NEXT_CALL);
        assertThat(leases.isSole("a", Set.of(DIRECTORY), 2 * TERM + 1)).isTrue();

        assertThat(leases.overruled(2 * TERM + NEXT_CALL))
                .isEqualTo(Map.of(new DirectoryLeases.Lost("a", 1), Set.of(DIRECTORY)));
        assertThat(leases.unsent(flushes, 2 * TERM + NEXT_CALL)).isEmpty();
        assertThat(leases.recall(Set.of(DIRECTORY), "b", 2 * TERM + NEXT_CALL)).isEmpty();
    }

    @Test
    void whatIsSentBringsNoLeaseBackThatIsOver() {
        give("a", 0);
        leases.flush(Set.of(DIRECTORY), 1);
        leases.sends("a", TERM);

        assertThat(leases.overruled(TERM)).isNotEmpty();
        assertThat(leases.isSole("a", Set.of(DIRECTORY), TERM)).isFalse();
    }

    @Test
    void nobodyWaitsForWhatAClientSendsWhoseSessionIsOver() {
        give("a", 0);
        leases.sends("a", 1);
        leases.forget("a");

        assertThat(leases.recall(Set.of(DIRECTORY), "b", 2)).hasValue(TERM);
        assertThat(leases.recall(Set.of(DIRECTORY), "b", TERM)).isEmpty();
    }

    @Test
    void whoSendsWhileItsLeaseLastsIsNotWaitedForAnyLonger() {
        give("a", 0);
        leases.sends("a", 1);
        leases.sent("a", 2);

        assertThat(leases.recall(Set.of(DIRECTORY), "b", 3)).hasValue(TERM);
    }

    @Test
    void aLeaseIsOverruledByAChangeThatHasWaitedForItsEnd() {
        give("a", 0);
        leases.recall(Set.of(DIRECTORY), "b", 1);

        assertThat(leases.overruled(TERM - 1)).isEmpty();
        assertThat(leases.recall(Set.of(DIRECTORY), "b", TERM)).isEmpty();
        assertThat(leases.overruled(TERM)).isEqualTo(lost(1));
    }

    @Test
    void aLeaseThatHasEndedWithItsTermIsOverruledByAChange() {
        give("a", 0);
        assertThat(leases.overruled(TERM)).isEmpty();
        leases.recall(Set.of(DIRECTORY), "a", TERM);
        assertThat(leases.overruled(TERM)).as("its own").isEmpty();

        leases.recall(Set.of(DIRECTORY), "b", TERM);
        assertThat(leases.overruled(TERM)).isEqualTo(lost(1));
    }

    @Test
    void aLeaseThatHasEndedWithItsTermIsOverruledByALeaseOfAnother() {
        give("a", 0);
        give("a", TERM);
        assertThat(leases.overruled(TERM)).as("its own").isEmpty();

        give("b", 2 * TERM);
        assertThat(leases.overruled(2 * TERM)).isEqualTo(lost(2));
    }

    @Test
    void whatAClientHasSentOrGivenBackIsNotOverruled() {
        give("a", 0);
        leases.flush(leases.soleOfOthers("b"), 1);
        leases.recall(Set.of(DIRECTORY), "b", 1);
        leases.hear("a", 2, 0, 0, 2);
        assertThat(leases.overruled(TERM)).isEmpty();

        give("a", TERM);
        leases.recall(Set.of(DIRECTORY), "b", TERM);
        leases.hear("a", 0, 2, 0, TERM + 1);
        assertThat(leases.overruled(3 * TERM)).isEmpty();
    }

    @Test
    void nothingIsOverruledOfAClientWhoseSessionIsOver() {
        give("a", 0);
        leases.recall(Set.of(DIRECTORY), "b", 1);
        leases.forget("a");

        assertThat(leases.overruled(TERM)).isEmpty();
    }

    @Test
    void nothingIsOverruledOfADirectoryThatNobodyHadAlone() {
        give("a", 0);
        share();
        leases.overruled(1);

        leases.recall(Set.of(DIRECTORY), "c", 2);
        assertThat(leases.overruled(2 * TERM)).isEmpty();
    }
}
