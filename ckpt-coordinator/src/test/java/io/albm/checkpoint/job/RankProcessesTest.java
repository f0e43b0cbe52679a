// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.checkpoint.handover.Handover;
import io.albm.checkpoint.handover.HandoverSettings;
import io.albm.checkpoint.handover.StepNames;
import io.albm.core.net.Transport;
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
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real process whose state takes long to be laid out: the file is a pipe, which is read when the test writes to it. */
@Timeout(60)
class RankProcessesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Transport transport = Transport.open(1);
    private final ExecutorService loop = Executors.newSingleThreadExecutor();
    private final BlockingQueue<String> output = new LinkedBlockingQueue<>();
    private final Path directory;
    private final LocalCopies copies;
    private final Handover handover;
    private final RankProcesses processes;

    RankProcessesTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        this.copies = new LocalCopies(directory);
        HandoverSettings settings = new HandoverSettings(StepNames.STEP, false, null, null, 20_000);
        RankCommand command = new RankCommand(
                List.of("sh", "-c", "echo attempt $ALBM_ATTEMPT; exec sleep 1000"),
                Map.of(),
                directory.toString(),
                settings);
        this.handover = new Handover(settings, directory, transport);
        this.processes = new RankProcesses(
                new RankPreparation("j", 1, command, handover, copies),
                new RankTable(directory),
                new WatchScript(directory),
                Thread::startVirtualThread,
                loop);
    }

    @BeforeEach
    void makeThePipe() throws Exception {
        Process made = new ProcessBuilder("mkfifo", copies.restored(0).toString()).start();
        assertThat(made.waitFor()).isZero();
    }

    @AfterEach
    void end() {
        assertThat(onLoop(processes::killAll).thenCompose(killed -> killed)).succeedsWithin(PATIENCE);
        loop.shutdownNow();
        handover.close();
        transport.close();
    }

    @Test
    void leasesAreRenewedWhileAStateIsLaidOut() throws Exception {
        CompletableFuture<Map<Integer, Long>> begun = start(1);
        renew(Duration.ofHours(1));
        assertThat(begun).isNotDone();
        layOut();
        assertThat(begun).succeedsWithin(PATIENCE);
        assertThat(begun.join()).containsOnlyKeys(0);
        assertThat(next()).isEqualTo("attempt 1");
    }

    @Test
    void startsNothingThatWasKilledWhileItsStateWasLaidOut() throws Exception {
        CompletableFuture<Map<Integer, Long>> killedBefore = start(1);
        CompletableFuture<Void> killed = onLoop(processes::killAll).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(killed).as("while its place is written to").isNotDone();
        layOut();
        assertThat(killed).succeedsWithin(PATIENCE);
        assertThat(killedBefore).isNotDone();
        Files.delete(copies.restored(0));
        Files.writeString(copies.restored(0), "state");
        assertThat(start(2)).succeedsWithin(PATIENCE);
        assertThat(next()).as("the only one that ever ran").isEqualTo("attempt 2");
    }

    /** Returns when the state is being laid out. */
    private CompletableFuture<Map<Integer, Long>> start(int attempt) throws Exception {
        RankStart start = new RankStart(attempt, "nobody:1/token", 7, List.of(0));
        CompletableFuture<Map<Integer, Long>> begun = onLoop(
                        () -> processes.start(start, (_, line) -> output.add(line), _ -> {}))
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        await().atMost(PATIENCE).until(() -> Files.exists(directory.resolve("handover/rank-0/kept")));
        return begun;
    }

    private void layOut() throws IOException {
        Files.newOutputStream(copies.restored(0)).close();
    }

    private void renew(Duration rest) throws Exception {
        onLoop(() -> {
                    try {
                        processes.renew(System.nanoTime() + rest.toNanos());
                        return true;
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                })
                .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    private <T> CompletableFuture<T> onLoop(Supplier<T> call) {
        return CompletableFuture.supplyAsync(call, loop);
    }

    private String next() throws InterruptedException {
        String line = output.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(line).isNotNull();
        return line;
    }
}
