// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

final class ClaimTest {
    private static final long OLD_SESSION = 7;
    private static final long SESSION = 8;
    private static final ProcessToken SELF = new ProcessToken("boot", "pid:[1]", 1000, 41, 500, "me");
    private static final ProcessToken OTHER = new ProcessToken("boot", "pid:[1]", 1000, 42, 600, "other");
    private static final ProcessTable NOBODY_RUNS = pid -> OptionalLong.empty();
    private static final ProcessTable OTHER_RUNS = pid -> pid == 42 ? OptionalLong.of(600) : OptionalLong.empty();

    @Test
    void aNodeOfThisSessionIsOurs() {
        assertThat(judge(SESSION, SELF, NOBODY_RUNS)).isEqualTo(new Claim.Ours());
    }

    @Test
    void aNodeOfOurEarlierSessionIsAbandoned() {
        assertThat(judge(OLD_SESSION, SELF, NOBODY_RUNS)).isEqualTo(new Claim.Abandoned());
    }

    @Test
    void aProcessOfThisMachineThatEndedHasAbandonedItsNode() {
        assertThat(judge(OLD_SESSION, OTHER, NOBODY_RUNS)).isEqualTo(new Claim.Abandoned());
    }

    @Test
    void aProcessIdThatWasUsedAgainIsNotTheOwner() {
        assertThat(judge(OLD_SESSION, OTHER, pid -> OptionalLong.of(601))).isEqualTo(new Claim.Abandoned());
    }

    @Test
    void aRunningProcessOfThisMachineHoldsItsNode() {
        assertThat(judge(OLD_SESSION, OTHER, OTHER_RUNS)).isEqualTo(new Claim.Held(true));
    }

    @Test
    void nothingIsKnownOfAnotherMachineContainerOrUser() {
        assertThat(judge(OLD_SESSION, new ProcessToken("else", "pid:[1]", 1000, 42, 600, "other"), NOBODY_RUNS))
                .isEqualTo(new Claim.Held(false));
        assertThat(judge(OLD_SESSION, new ProcessToken("boot", "pid:[2]", 1000, 42, 600, "other"), NOBODY_RUNS))
                .isEqualTo(new Claim.Held(false));
        assertThat(judge(OLD_SESSION, new ProcessToken("boot", "pid:[1]", 0, 42, 600, "other"), NOBODY_RUNS))
                .isEqualTo(new Claim.Held(false));
    }

    @Test
    void anUnknownBootIsNobodysMachine() {
        ProcessToken self = new ProcessToken("", "", -1, 41, 0, "me");
        ProcessToken other = new ProcessToken("", "", -1, 42, 0, "other");
        assertThat(Claim.judge(OLD_SESSION, other, SESSION, self, NOBODY_RUNS)).isEqualTo(new Claim.Held(false));
    }

    @Test
    void theProcessTableKnowsWhoRunsAndWhoHasEnded() throws IOException, InterruptedException {
        ProcessTable table = ProcessTable.ofThisMachine();
        assertThat(table.startTicks(ProcessHandle.current().pid())).isPresent();
        Process child = new ProcessBuilder("true").start();
        child.waitFor();
        assertThat(table.startTicks(child.pid())).isEmpty();
    }

    private static Claim judge(long ownerSession, ProcessToken owner, ProcessTable processes) {
        return Claim.judge(ownerSession, owner, SESSION, SELF, processes);
    }
}
