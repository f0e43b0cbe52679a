// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.albm.checkpoint.rank.Processes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real processes that try to get away, and their real watcher. */
@Timeout(60)
class WatchedRankTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int KILLED = 137;

    /** One leaves the tree of processes, one the session, one clears its environment. */
    private static final String SCATTER = """
            (sh -c 'echo $$ > orphan.tmp; mv orphan.tmp orphan; exec sleep 1000' &)
            setsid sh -c 'echo $$ > session.tmp; mv session.tmp session; exec sleep 1000' &
            env -i sh -c 'echo $$ > cleared.tmp; mv cleared.tmp cleared; exec sleep 1000' &
            until [ -e orphan ] && [ -e session ] && [ -e cleared ]; do sleep 0.01; done
            echo scattered
            """;

    private final Path directory;
    private final ExecutorService loop = Executors.newSingleThreadExecutor();
    private final BlockingQueue<String> output = new LinkedBlockingQueue<>();
    private final BlockingQueue<Integer> exits = new LinkedBlockingQueue<>();
    private @Nullable RankProcesses processes;
    private long pid;

    WatchedRankTest(@TempDir Path directory) {
        this.directory = directory;
    }

    @AfterEach
    void end() {
        killAll();
        loop.shutdownNow();
    }

    @Test
    void killsAllThatCameOfARank() throws Exception {
        start(SCATTER + "exec sleep 1000");
        assertThat(next(output)).isEqualTo("scattered");
        killAll();
        assertNothingIsLeft();
        assertThat(exits).as("it did not end by itself").isEmpty();
    }

    @Test
    void whatARankLeavesRunningEndsWithIt() throws Exception {
        start(SCATTER + "exit 0");
        assertThat(next(output)).isEqualTo("scattered");
        assertThat(next(exits)).isZero();
        assertNothingIsLeft();
    }

    @Test
    void endsARankWhoseLeaseIsNotRenewed() throws Exception {
        start(SCATTER + "exec sleep 1000");
        assertThat(next(output)).isEqualTo("scattered");
        renew(Duration.ofHours(1));
        renew(Duration.ofMillis(100));
        assertThat(next(exits)).isEqualTo(KILLED);
        assertNothingIsLeft();
    }

    @Test
    void endsARankWhoseLeaseRunsOutWhileTheReaderOfRenewalsIsStopped() throws Exception {
        start(SCATTER + "exec sleep 1000");
        assertThat(next(output)).isEqualTo("scattered");
        renew(Duration.ofSeconds(2));
        await().atMost(PATIENCE).until(() -> watchers().size() == 2);
        signal("STOP", watcher());
        renew(Duration.ofHours(1));
        assertThat(next(exits)).isEqualTo(KILLED);
        assertNothingIsLeft();
        signal("CONT", watcher());
    }

    @Test
    void startsNoProgramWhoseLeaseHasRunOutBefore() throws Exception {
        started(List.of("sh", "-c", "echo runs; exec sleep 1000"), Duration.ofSeconds(-1));
        assertThat(next(exits)).isEqualTo(KILLED);
        assertThat(output).doesNotContain("runs");
    }

    @Test
    void aRankDoesNotOutliveItsWatcher() throws Exception {
        start(SCATTER + "exec sleep 1000");
        assertThat(next(output)).isEqualTo("scattered");
        signal("KILL", watcher());
        assertThat(next(output)).isEqualTo("albm: this rank is killed, since its watcher is gone");
        assertThat(next(exits)).isEqualTo(KILLED);
        assertNothingIsLeft();
    }

    @Test
    void theProgramMeetsNoChildThatItDidNotStartAndAnEmptyInput() throws Exception {
        start("cat; pgrep -P $$");
        assertThat(next(exits)).as("what pgrep says if there is none").isEqualTo(1);
        assertThat(output).isEmpty();
    }

    @Test
    void aProgramThatDoesNotExistIsNamed() {
        assertThatThrownBy(() -> started(List.of("no-such-program")))
                .hasMessageContaining("there is no program no-such-program in ");
        assertThatThrownBy(() -> started(List.of("./no-such-program")))
                .hasMessageContaining("there is no program ./no-such-program, seen from " + directory);
    }

    private void start(String script) throws Exception {
        pid = started(List.of("sh", "-c", script));
    }

    private long started(List<String> line) throws Exception {
        return started(line, null);
    }

    private long started(List<String> line, @Nullable Duration rest) throws Exception {
        RankCommand command = new RankCommand(line, Map.of(), directory.toString(), null);
        RankPreparation preparation = new RankPreparation("j", 1, command, null, new LocalCopies(directory));
        RankProcesses each = new RankProcesses(
                preparation, new RankTable(directory), new WatchScript(directory), Thread::startVirtualThread, loop);
        processes = each;
        if (rest != null) {
            renew(rest);
        }
        RankStart start = new RankStart(1, "nobody:1/token", RankStart.BEGINNING, List.of(0));
        return CompletableFuture.supplyAsync(
                        () -> each.start(start, (rank, text) -> output.add(text), exit -> exits.add(exit.exit())), loop)
                .thenCompose(pids -> pids)
                .get()
                .getOrDefault(0, 0L);
    }

    private void renew(Duration rest) throws Exception {
        RankProcesses each = processes;
        assertThat(each).isNotNull();
        if (each != null) {
            loop.submit(() -> {
                        each.renew(System.nanoTime() + rest.toNanos());
                        return true;
                    })
                    .get();
        }
    }

    private void killAll() {
        RankProcesses each = processes;
        if (each != null) {
            CompletableFuture.supplyAsync(each::killAll, loop)
                    .thenCompose(killed -> killed)
                    .join();
        }
    }

    private void assertNothingIsLeft() throws IOException {
        assertThat(Processes.isDead(pid)).isTrue();
        for (String name : List.of("orphan", "session", "cleared")) {
            long child =
                    Long.parseLong(Files.readString(directory.resolve(name)).strip());
            assertThat(Processes.isDead(child)).as(name).isTrue();
        }
    }

    /** The reader of renewals, and the timer that it has made. */
    private List<ProcessHandle> watchers() {
        return ProcessHandle.allProcesses()
                .filter(process -> !Processes.isDead(process.pid()))
                .filter(process -> process.info()
                        .commandLine()
                        .filter(line -> line.contains(directory + "/watch.sh watch "))
                        .isPresent())
                .toList();
    }

    private long watcher() {
        await().atMost(PATIENCE).until(() -> !watchers().isEmpty());
        return watchers().stream().mapToLong(ProcessHandle::pid).min().orElseThrow();
    }

    private static void signal(String name, long pid) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                        .start()
                        .waitFor())
                .isZero();
    }

    private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        T value = queue.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(value).isNotNull();
        return value;
    }
}
