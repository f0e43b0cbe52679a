// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SupervisorProtocolTest {
    private static final LocalCopy COPY = new LocalCopy(10, 99);

    private final List<String> effects = new ArrayList<>();
    private final SupervisorProtocol supervisor = new SupervisorProtocol(2, new Recorded(), 0);

    @Test
    void refusesADeposedCoordinator() {
        supervisor.on(new Command.Observe(5, 0), 0);
        assertThat(supervisor.on(new Command.Prepare(4, 1, Heard.NONE), 0)).isEqualTo(new Answer.Fenced(5));
        assertThat(effects).isEmpty();
    }

    @Test
    void takesNoPartBeforeEveryRankHasJoined() {
        supervisor.joined(0);
        Answer.Status status = (Answer.Status) supervisor.on(new Command.Prepare(1, 1, Heard.NONE), 0);
        assertThat(status.failure()).contains("only 1 of 2");
        assertThat(effects).isEmpty();
    }

    @Test
    void repeatedCommandsDoTheirWorkOnce() {
        saveAll(1);
        supervisor.on(new Command.Drain(1, 1, 0, List.of(0), Heard.NONE), 0);
        supervisor.on(new Command.Drain(1, 1, 0, List.of(0), Heard.NONE), 0);
        assertThat(effects).containsExactly("hold 1", "save 1 at 5", "drain 1 rank 0");
    }

    @Test
    void aDeathBeforeAllHaveSavedSpoilsTheCheckpointAndReleasesTheRest() {
        joinAll();
        supervisor.on(new Command.Prepare(1, 1, Heard.NONE), 0);
        supervisor.left(1);
        assertThat(supervisor.status(Heard.NONE).failure()).contains("rank 1 ended");
        assertThat(effects).containsExactly("hold 1", "release 1");
        assertThat(supervisor.mayStillCommit()).isFalse();
    }

    @Test
    void aDeathAfterAllHaveSavedDoesNotSpoilIt() {
        saveAll(1);
        supervisor.left(0);
        assertThat(supervisor.mayStillCommit()).isTrue();
        supervisor.on(new Command.Drain(1, 1, 0, List.of(0, 1), Heard.NONE), 0);
        assertThat(effects).contains("drain 1 rank 0", "drain 1 rank 1");
    }

    @Test
    void aHostThatIsLostBeforeItsStatesAreStoredSpoilsIt() {
        saveAll(1);
        supervisor.stored(1, unit(0));
        supervisor.lost(List.of(0), "host a is lost");
        assertThat(supervisor.mayStillCommit()).as("all that it had is stored").isTrue();
        supervisor.lost(List.of(0, 1), "host b is lost");
        assertThat(supervisor.mayStillCommit()).isFalse();
        assertThat(supervisor.status(Heard.NONE).failure()).isEqualTo("host b is lost");
        assertThat(supervisor.isUsable(1)).isFalse();
    }

    private static StoredUnit unit(int rank) {
        return new StoredUnit(rank, "index", 10, "", 1, "", 10, new Pack(new PackId(1, rank), 10, 10), List.of());
    }

    @Test
    void releasesRanksWhenNoCoordinatorIsHeard() {
        joinAll();
        supervisor.on(new Command.Prepare(1, 1, Heard.NONE), 0);
        supervisor.tick(SupervisorProtocol.SILENCE.toNanos());
        assertThat(effects).containsExactly("hold 1");
        supervisor.tick(SupervisorProtocol.SILENCE.toNanos() + 1);
        assertThat(effects).containsExactly("hold 1", "release 1");
    }

    @Test
    void keepsWhatAllHaveSavedForTheNextCoordinator() {
        saveAll(1);
        supervisor.tick(SupervisorProtocol.SILENCE.toNanos() + 1);
        assertThat(supervisor.mayStillCommit())
                .as("ranks that are to go back do not wait for it")
                .isFalse();
        supervisor.on(new Command.Drain(2, 1, 0, List.of(0, 1), Heard.NONE), SupervisorProtocol.SILENCE.toNanos() + 2);
        assertThat(supervisor.mayStillCommit()).isTrue();
        assertThat(supervisor.status(Heard.NONE).failure()).isNull();
        assertThat(effects).endsWith("drain 1 rank 0", "drain 1 rank 1").doesNotContain("release 1");
    }

    @Test
    void givesUpInSilenceWhatRanksWaitForThoughAllHaveSaved() {
        saveAll(1, true);
        supervisor.tick(SupervisorProtocol.SILENCE.toNanos() + 1);
        assertThat(effects).endsWith("release 1");
        assertThat(supervisor.isUsable(1)).isFalse();
    }

    @Test
    void ranksThatGoBackSpoilWhatIsInHand() {
        saveAll(1);
        supervisor.goingBack();
        assertThat(supervisor.status(Heard.NONE).failure()).contains("went back");
        assertThat(supervisor.isUsable(1)).isFalse();
    }

    @Test
    void whatCannotBeStoredIsTriedAgainWhenACoordinatorAsks() {
        saveAll(1);
        supervisor.on(new Command.Drain(1, 1, 0, List.of(0), Heard.NONE), 0);
        supervisor.notStored(1, 0);
        supervisor.tick(SupervisorProtocol.SILENCE.toNanos() + 1);
        assertThat(effects).containsOnlyOnce("drain 1 rank 0");
        supervisor.on(new Command.Drain(2, 1, 0, List.of(), Heard.NONE), SupervisorProtocol.SILENCE.toNanos() + 2);
        assertThat(effects).endsWith("drain 1 rank 0", "drain 1 rank 0");
    }

    @Test
    void learnsFromAnIdleCoordinatorWhetherItsCheckpointCommitted() {
        saveAll(3);
        supervisor.on(new Command.Observe(1, 3), 0);
        assertThat(effects).endsWith("committed 3").doesNotContain("discard 3");
    }

    @Test
    void learnsFromAnIdleCoordinatorThatItsCheckpointWasAborted() {
        saveAll(3);
        supervisor.on(new Command.Observe(1, 2), 0);
        assertThat(effects).endsWith("release 3", "discard 3").doesNotContain("committed 3");
    }

    @Test
    void haltsOnceTheLastCheckpointIsCommittedAndTakesNoMore() {
        saveAll(3, true);
        supervisor.on(new Command.Drain(1, 3, 0, List.of(), Heard.NONE), 0);
        assertThat(effects).contains("save 3 at 5, the last").doesNotContain("halt 3");
        supervisor.on(new Command.Observe(1, 3), 0);
        assertThat(effects).endsWith("committed 3", "halt 3");
        assertThat(supervisor.status(Heard.NONE).ready()).isFalse();
    }

    @Test
    void runsOnWhenTheLastCheckpointWasAborted() {
        saveAll(3, true);
        supervisor.on(new Command.Observe(1, 2), 0);
        assertThat(effects).endsWith("release 3", "discard 3").doesNotContain("halt 3");
        assertThat(supervisor.status(Heard.NONE).ready()).isTrue();
    }

    private void joinAll() {
        supervisor.joined(0);
        supervisor.joined(1);
    }

    private void saveAll(long checkpoint) {
        saveAll(checkpoint, false);
    }

    private void saveAll(long checkpoint, boolean last) {
        joinAll();
        supervisor.on(new Command.Prepare(1, checkpoint, Heard.NONE), 0);
        supervisor.begun(checkpoint, 0, 4);
        supervisor.begun(checkpoint, 1, 5);
        supervisor.on(new Command.Save(1, checkpoint, 5, last, Heard.NONE), 0);
        supervisor.saved(checkpoint, 0, COPY);
        supervisor.saved(checkpoint, 1, COPY);
    }

    private final class Recorded implements SupervisorProtocol.Effects {
        @Override
        public void hold(long checkpoint) {
            effects.add("hold " + checkpoint);
        }

        @Override
        public void save(long checkpoint, long step, boolean last) {
            effects.add("save " + checkpoint + " at " + step + (last ? ", the last" : ""));
        }

        @Override
        public void release(long checkpoint) {
            effects.add("release " + checkpoint);
        }

        @Override
        public void drain(long checkpoint, long base, int rank, LocalCopy copy) {
            effects.add("drain " + checkpoint + " rank " + rank);
        }

        @Override
        public void committed(long checkpoint) {
            effects.add("committed " + checkpoint);
        }

        @Override
        public void halt(long checkpoint) {
            effects.add("halt " + checkpoint);
        }

        @Override
        public void discard(long checkpoint) {
            effects.add("discard " + checkpoint);
        }
    }
}
