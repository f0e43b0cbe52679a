// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.checkpoint.strategy.CheckpointStrategies;
import io.albm.checkpoint.strategy.Network;
import io.albm.checkpoint.strategy.TcpSegments;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** When the coordinator begins a checkpoint, and when it gives one up, event by event. */
class CheckpointProtocolTest {
    private static final long EPOCH = 7;
    private static final Interval BUDGET = new Interval.OverheadBudget(10, new Interval.Limits(1000, 60_000));

    private static final int RANKS = 4;
    private static final long DRAIN_MILLIS = 60_000;

    private static final Command OBSERVE = new Command.Observe(EPOCH, 0);

    private long millis;

    @Test
    void beginsAtTheIntervalThatTheDurableCostsSay() {
        CheckpointProtocol protocol = protocol(BUDGET, 0, List.of(300L, 500L));
        assertThat(opensAfter(protocol)).isEqualTo(4000);
    }

    @Test
    void measuresWithTheFirstCheckpointAfterTheShortestInterval() {
        assertThat(opensAfter(protocol(BUDGET, 0, List.of()))).isEqualTo(1000);
    }

    @Test
    void restsForTheMinimumPauseAfterAFailedCheckpointToo() {
        CheckpointProtocol protocol = protocol(new Interval.Fixed(100), 3000, List.of());
        assertThat(opensAfter(protocol)).as("after a take-over").isEqualTo(3000);
        feed(protocol, new Event.Done(new Action.Open(1, 0, 0)));
        feed(protocol, new Event.Answered(OBSERVE, status(1, "rank 0 could not save")));
        feed(protocol, new Event.Done(new Action.Drop(1, 0, "rank 0 could not save")));
        feed(protocol, new Event.Done(new Action.Sweep()));
        long failedAt = millis;
        feed(protocol, new Event.Read(state(List.of())));
        assertThat(opensAfter(protocol) - failedAt).as("after a failure").isEqualTo(3000);
    }

    @Test
    void takesTheLastCheckpointAtOnceWhenTheJobIsToBeHalted() {
        CheckpointProtocol protocol = protocol(new Interval.Fixed(60_000), 0, List.of());
        feed(protocol, new Event.Halting(true));
        assertThat(opensAfter(protocol)).isEqualTo(10);
        feed(protocol, new Event.Done(new Action.Open(1, 0, 0)));
        Command asked = new Command.Prepare(EPOCH, 1, Heard.NONE);
        Heard heard = new Heard(9, 1);
        Answer.Progress begun = new Answer.Progress(0, heard, false, Map.of(0, 4L), Map.of(), Map.of());
        Answer.Status gathered = new Answer.Status(1, false, begun, null, TcpSegments.NONE, 0);
        Action.Tell save = new Action.Tell(new Command.Save(EPOCH, 1, 5, true, heard));
        assertThat(feed(protocol, new Event.Answered(asked, gathered))).contains(save);
        feed(protocol, new Event.Halting(false));
        assertThat(feed(protocol, tick())).contains(save);
    }

    @Test
    void givesUpADrainThatStandsStillAndNoneThatMovesOn() {
        CheckpointProtocol protocol = new CheckpointProtocol(
                spec(RANKS, new Interval.Fixed(100), 0), CheckpointStrategies.create("coordinated", 1), EPOCH, 0);
        feed(protocol, tick());
        feed(protocol, new Event.Read(saved()));
        for (int rank = 0; rank < RANKS - 1; rank++) {
            pass(protocol, DRAIN_MILLIS);
            feed(protocol, stored(rank));
        }
        assertThat(protocol.phase()).isInstanceOf(Phase.Drain.class);
        pass(protocol, DRAIN_MILLIS);
        feed(protocol, stored(RANKS - 2));
        assertThat(protocol.phase()).as("heard once more").isInstanceOf(Phase.Drain.class);
        pass(protocol, 10);
        assertThat(protocol.phase()).isEqualTo(new Phase.Abort(1, "no more was stored within " + DRAIN_MILLIS + " ms"));
    }

    @Test
    void givesUpNoDrainOfOneLargeStateThatMovesOnWithin() {
        CheckpointProtocol protocol = new CheckpointProtocol(
                spec(RANKS, new Interval.Fixed(100), 0), CheckpointStrategies.create("coordinated", 1), EPOCH, 0);
        feed(protocol, tick());
        feed(protocol, new Event.Read(saved()));
        for (int bytes = 1; bytes <= 5; bytes++) {
            pass(protocol, DRAIN_MILLIS);
            feed(protocol, drained(bytes));
        }
        assertThat(protocol.phase()).isInstanceOf(Phase.Drain.class);
        pass(protocol, DRAIN_MILLIS);
        feed(protocol, drained(4));
        feed(protocol, drained(5));
        assertThat(protocol.phase()).as("no further than before").isInstanceOf(Phase.Drain.class);
        pass(protocol, 10);
        assertThat(protocol.phase()).isEqualTo(new Phase.Abort(1, "no more was stored within " + DRAIN_MILLIS + " ms"));
    }

    /** No state is stored, but so many bytes. */
    private static Event drained(long bytes) {
        return new Event.Answered(
                new Command.Drain(EPOCH, 1, 0, List.of(), Heard.NONE),
                new Answer.Status(1, false, Answer.Progress.NONE, null, TcpSegments.NONE, bytes));
    }

    /** All ranks have saved, and a leader takes it over from there. */
    private static DurableState saved() {
        Map<Integer, LocalCopy> votes = new HashMap<>();
        for (int rank = 0; rank < RANKS; rank++) {
            votes.put(rank, new LocalCopy(1, 0));
        }
        Inflight inflight = new Inflight(1, 0, 4, votes, Instant.EPOCH, 0);
        return new DurableState(
                EPOCH, 2, 0, 0, List.of(inflight), Map.of(1L, 1), new TreeSet<>(), List.of(), Marks.NONE, 0, false);
    }

    /** That rank's state is stored, after those of all before. */
    private static Event stored(int rank) {
        StoredUnit unit = new StoredUnit(rank, "", 1, "", 1, "", 0, new Pack(new PackId(1, rank), 0, 0), List.of());
        Answer.Progress progress =
                new Answer.Progress(rank, new Heard(9, rank + 1), false, Map.of(), Map.of(), Map.of(rank, unit));
        return new Event.Answered(
                new Command.Drain(EPOCH, 1, 0, List.of(), Heard.NONE),
                new Answer.Status(1, false, progress, null, TcpSegments.NONE, 0));
    }

    private void pass(CheckpointProtocol protocol, long passing) {
        for (long until = millis + passing; millis < until; ) {
            millis += 10;
            feed(protocol, tick());
        }
    }

    private static JobSpec spec(int ranks, Interval interval, long pause) {
        return new JobSpec("job", ranks, interval, pause, 60_000, DRAIN_MILLIS, "coordinated", 1, 2, 0);
    }

    private CheckpointProtocol protocol(Interval interval, long pause, List<Long> stalls) {
        CheckpointProtocol protocol = new CheckpointProtocol(
                spec(1, interval, pause), CheckpointStrategies.create("coordinated", 1), EPOCH, 0);
        feed(protocol, tick());
        feed(protocol, new Event.Read(state(stalls)));
        feed(protocol, new Event.Done(new Action.Sweep()));
        feed(protocol, new Event.Read(state(stalls)));
        return protocol;
    }

    /** Lets time pass until a checkpoint begins, and says when that was. */
    private long opensAfter(CheckpointProtocol protocol) {
        while (!(protocol.phase() instanceof Phase.Open)) {
            assertThat(millis).as("waits for ever in %s", protocol.phase()).isLessThan(100_000);
            millis += 10;
            feed(protocol, tick());
            feed(protocol, new Event.Answered(OBSERVE, status(0, null)));
        }
        return millis;
    }

    private List<Action> feed(CheckpointProtocol protocol, Event event) {
        return new ArrayList<>(protocol.on(event, Duration.ofMillis(millis).toNanos()));
    }

    private static Event tick() {
        return new Event.Tick(Network.UNKNOWN, Instant.EPOCH);
    }

    private static Answer.Status status(long checkpoint, @Nullable String failure) {
        return new Answer.Status(checkpoint, checkpoint == 0, Answer.Progress.NONE, failure, TcpSegments.NONE, 0);
    }

    private static DurableState state(List<Long> stalls) {
        return new DurableState(EPOCH, 1, 0, 0, List.of(), Map.of(), new TreeSet<>(), stalls, Marks.NONE, 0, false);
    }
}
