// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.checkpoint.job.RankCommand;
import io.albm.checkpoint.job.RankExit;
import io.albm.checkpoint.job.RankStart;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a host does for commands, with ranks that are played and time that is turned by hand. */
class HostedJobTest {
    private static final String INSTANCE = "this";
    private static final long LEASE = 10_000;

    private final List<String> done = new ArrayList<>();
    private long now;
    private long said;
    private long number;
    private PlayedHost host = new PlayedHost(0, null, done);
    private final HostedJob job = new HostedJob(
            "heat",
            5,
            INSTANCE,
            Path.of("/data/jobs/heat"),
            (command, listener) -> {
                host = new PlayedHost(command.run(), listener, done);
                return host;
            },
            Runnable::run,
            () -> now);

    @Test
    void startsAnAttemptOnceWhenWhatEarlierRunsLeftIsDead() throws Exception {
        HostAnswer.Report first = report(command(5, 1));
        assertThat(first.cleared()).isFalse();
        assertThat(first.started()).isZero();
        host.cleared().complete(2);
        HostAnswer.Report second = report(command(5, 1));
        report(command(5, 1));
        assertThat(second.leftOvers()).isEqualTo(2);
        assertThat(second.pids()).containsOnlyKeys(0, 1);
        assertThat(done).containsExactly("5 clear", "5 start 1");
    }

    @Test
    void killsBeforeItStartsTheNextAttempt() throws Exception {
        running();
        assertThat(report(command(5, 2)).running()).isTrue();
        assertThat(done).containsExactly("5 clear", "5 start 1", "5 kill");
        host.killed().complete(null);
        assertThat(report(command(5, 2)).started()).isEqualTo(2);
        assertThat(done).endsWith("5 start 2");
    }

    @Test
    void refusesARunWhoseSupervisorWasReplaced() throws Exception {
        assertThat(job.on(command(4, 1))).isEqualTo(new HostAnswer.Fenced(5));
        running();
        report(command(6, 1));
        assertThat(job.on(command(5, 1))).isEqualTo(new HostAnswer.Fenced(6));
    }

    @Test
    void aLaterRunSeesTheRanksOfTheEarlierOneDeadFirst() throws Exception {
        running();
        PlayedHost earlier = host;
        assertThat(report(command(6, 1)).cleared()).isFalse();
        assertThat(done).containsExactly("5 clear", "5 start 1", "5 kill");
        earlier.killed().complete(null);
        host.cleared().complete(0);
        assertThat(report(command(6, 1)).started()).isEqualTo(1);
        assertThat(done).endsWith("6 clear", "6 start 1");
    }

    @Test
    void aRunThatWasReplacedBeforeItsTurnDoesNotKillTheRanksOfItsSuccessor() throws Exception {
        running();
        PlayedHost fifth = host;
        report(command(6, 1));
        PlayedHost sixth = host;
        report(command(7, 1));
        sixth.killed().complete(null);
        host.cleared().complete(0);
        assertThat(report(command(7, 1)).started())
                .as("while ranks of an earlier run may live")
                .isZero();
        fifth.killed().complete(null);
        assertThat(report(command(7, 1)).started()).isEqualTo(1);
        assertThat(done).containsExactly("5 clear", "5 start 1", "5 kill", "6 kill", "7 clear", "7 start 1");
    }

    @Test
    void killsAllRanksWhenTheLeaseRunsOutAndStartsThatAttemptNoMore() throws Exception {
        running();
        now += LEASE * 1_000_000;
        job.tick();
        assertThat(done).doesNotContain("5 kill");
        now += 1;
        job.tick();
        assertThat(done).endsWith("5 kill");
        host.killed().complete(null);
        report(command(5, 1));
        HostAnswer.Report after = report(command(5, 1));
        assertThat(after.started()).isEqualTo(1);
        assertThat(after.running()).isFalse();
        assertThat(done).endsWith("5 kill");
        assertThat(report(command(5, 2)).running()).as("the next attempt").isTrue();
    }

    @Test
    void theLeaseRunsFromTheAnswerThatTheSupervisorHasHeardNotFromACommandThatComesLate() throws Exception {
        running();
        HostCommand sentNow = command(5, 2);
        HostCommand sentLater = command(5, 2);
        long answered = now;
        now += LEASE * 900_000;
        report(sentNow);
        assertThat(host.renewed()).isEqualTo(answered + LEASE * 1_000_000);
        now += LEASE * 100_000 + 1;
        report(sentLater);
        host.killed().complete(null);
        assertThat(done).as("no second attempt").containsExactly("5 clear", "5 start 1", "5 kill");
    }

    @Test
    void startsNothingThatWasMeantForAnotherInstance() throws Exception {
        HostCommand meant = command(5, 1);
        HostCommand other = new HostCommand(
                5,
                meant.number(),
                "before",
                2,
                meant.command(),
                meant.start(),
                List.of(new HostTask.Discard(1, 3)),
                0,
                said,
                LEASE);
        report(other);
        host.cleared().complete(0);
        assertThat(report(other).instance()).isEqualTo(INSTANCE);
        assertThat(done).containsExactly("5 clear");
    }

    @Test
    void aCommandThatWasOvertakenKillsNothing() throws Exception {
        HostCommand early = none();
        running();
        assertThat(report(early).running()).isTrue();
        assertThat(report(command(5, 1)).running()).isTrue();
        assertThat(done).containsExactly("5 clear", "5 start 1");
    }

    @Test
    void aCommandThatWasOvertakenStartsNothing() throws Exception {
        running();
        HostCommand late = command(5, 2);
        report(none());
        host.killed().complete(null);
        assertThat(report(none()).running()).isFalse();
        assertThat(report(late).started()).isEqualTo(1);
        assertThat(done).containsExactly("5 clear", "5 start 1", "5 kill");
    }

    @Test
    void aCommandThatWasOvertakenBeginsNoForgottenTaskAgain() throws Exception {
        running();
        HostCommand late = with(new HostTask.Discard(1, 3));
        report(late);
        report(command(5, 1));
        assertThat(report(late).results()).isEmpty();
        assertThat(done).filteredOn(step -> step.contains("discard")).containsExactly("5 discard 3");
    }

    @Test
    void aCommandThatComesTwiceIsObeyed() throws Exception {
        running();
        HostCommand twice = none();
        report(twice);
        host.killed().complete(null);
        assertThat(report(twice).running()).isFalse();
        assertThat(report(command(5, 2)).started()).isEqualTo(2);
        assertThat(done).containsExactly("5 clear", "5 start 1", "5 kill", "5 start 2");
    }

    @Test
    void theFirstCommandOfALaterRunIsObeyedWhateverItsNumber() throws Exception {
        HostCommand first = command(6, 1);
        running();
        PlayedHost earlier = host;
        report(first);
        earlier.killed().complete(null);
        host.cleared().complete(0);
        assertThat(report(first).started()).isEqualTo(1);
        assertThat(done).endsWith("5 kill", "6 clear", "6 start 1");
    }

    @Test
    void doesATaskOnceAndTellsItsResultUntilItIsForgotten() throws Exception {
        running();
        HostCommand once = with(new HostTask.Discard(1, 3));
        assertThat(report(once).results()).containsOnlyKeys(1L);
        assertThat(report(once).results()).containsOnlyKeys(1L);
        assertThat(report(with(new HostTask.Discard(2, 4))).results()).containsOnlyKeys(2L);
        assertThat(done).filteredOn(step -> step.contains("discard")).containsExactly("5 discard 3", "5 discard 4");
    }

    @Test
    void tellsExitsWhenAllThatWasPrintedBeforeIsTold() throws Exception {
        running();
        for (int line = 0; line < 1500; line++) {
            host.listener().output(1, "line " + line);
        }
        host.listener().exited(new RankExit(1, 1, 101, 0));
        HostAnswer.Report first = report(command(5, 1));
        assertThat(first.output()).hasSize(1000);
        assertThat(first.exits()).isEmpty();
        HostAnswer.Report second = report(heard(1000));
        assertThat(second.firstLine()).isEqualTo(1000);
        assertThat(second.output()).hasSize(500);
        assertThat(second.exits()).extracting(RankExit::rank).containsExactly(1);
    }

    @Test
    void dropsTheOldestLinesAndShowsHowMany() throws Exception {
        running();
        for (int line = 0; line < 10_007; line++) {
            host.listener().output(0, "line " + line);
        }
        HostAnswer.Report report = report(command(5, 1));
        assertThat(report.firstLine()).isEqualTo(7);
        assertThat(report.output().getFirst().text()).isEqualTo("line 7");
    }

    private void running() throws IOException {
        report(command(5, 1));
        host.cleared().complete(0);
    }

    private HostAnswer.Report report(HostCommand command) throws IOException {
        HostAnswer.Report report = (HostAnswer.Report) job.on(command);
        said = report.said();
        return report;
    }

    private HostCommand command(long run, int attempt) {
        return command(run, attempt, List.of(), 0);
    }

    private HostCommand with(HostTask task) {
        return command(5, 1, List.of(task), 0);
    }

    private HostCommand heard(long lines) {
        return command(5, 1, List.of(), lines);
    }

    private HostCommand command(long run, int attempt, List<HostTask> tasks, long heard) {
        return command(run, new RankStart(attempt, "here:1/token", -1, List.of(0, 1)), tasks, heard);
    }

    private HostCommand none(HostTask... tasks) {
        return command(5, null, List.of(tasks), 0);
    }

    private HostCommand command(long run, @Nullable RankStart start, List<HostTask> tasks, long heard) {
        return new HostCommand(
                run,
                ++number,
                INSTANCE,
                2,
                new RankCommand(List.of("true"), Map.of(), "/", null),
                start,
                tasks,
                heard,
                said,
                LEASE);
    }
}
