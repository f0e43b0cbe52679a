// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.checkpoint.handover.Handover;
import io.albm.checkpoint.handover.HandoverSettings;
import io.albm.checkpoint.handover.StepNames;
import io.albm.core.net.Transport;
import java.io.IOException;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real process whose states are handed over, against a real server of ranks; the test writes the program's files. */
@Timeout(30)
class HandedOverRankTest {
    private static final long BARRIER_MILLIS = 20_000;
    private static final List<String> RUNS_ON = List.of("sh", "-c", "echo endpoint $ALBM_ENDPOINT; exec sleep 1000");

    private final Path directory;
    private final HttpClient http = HttpClient.newHttpClient();
    private final Transport transport = Transport.open(1);
    private final ExecutorService loop = Executors.newSingleThreadExecutor();
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> output = new LinkedBlockingQueue<>();
    private final BlockingQueue<Integer> exits = new LinkedBlockingQueue<>();
    private volatile RankServer.@Nullable Connection toRank;
    private final RankServer server;
    private final LocalCopies copies;
    private @Nullable Handover handover;
    private @Nullable RankProcesses processes;
    private List<Long> pids = List.of();

    HandedOverRankTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        server = new RankServer("127.0.0.1", new Supervisor());
        copies = new LocalCopies(directory);
    }

    @AfterEach
    void end() throws IOException {
        killAll();
        loop.shutdownNow();
        if (handover != null) {
            handover.close();
        }
        server.close();
        http.close();
        transport.close();
    }

    @Test
    void savesWhatWasHandedOverAndNotWhatTheNameIsUsedForLater() throws Exception {
        start(files(), RUNS_ON);
        handOver("100", "state at 100");
        assertThat(next(heard)).isEqualTo("joined");
        say("HOLD 1");
        assertThat(next(heard)).isEqualTo("AT 1 99");
        Files.writeString(incoming().resolve("100"), "something else");
        awaitOutput("albm: the state of step 100 is refused: step 100 was there before, and steps must rise");
        assertThat(incoming()).isEmptyDirectory();
        assertSaved(1, 100, "state at 100");
        say("DURABLE 1");
        assertThat(next(heard)).as("nothing new to be saved").isEqualTo("END");
    }

    @Test
    void comesToTheCommonStepOfARankThatIsFarther() throws Exception {
        start(files(), RUNS_ON);
        handOver("100", "state at 100");
        assertThat(next(heard)).isEqualTo("joined");
        say("HOLD 1");
        assertThat(next(heard)).isEqualTo("AT 1 99");
        say("SAVE 1 300 " + encoded(copies.saved(1, 0)));
        handOver("200", "state at 200");
        handOver("300", "state at 300");
        assertThat(next(heard)).isEqualTo(saved(1, "state at 300"));
        assertThat(copies.saved(1, 0)).hasContent("state at 300");
    }

    /** Between the death of one rank and its own, as all go back. */
    @Test
    void aRankWhoseAttemptIsOverIsRefusedWithoutAWord() throws Exception {
        start(files(), List.of("sleep", "1000"));
        server.newControl();
        handOver("100", "state at 100");
        await(() -> Files.notExists(incoming().resolve("100")));
        handOver("50", "state at 50");
        assertThat(next(output)).startsWith("albm: the state of step 50 is refused");
        assertThat(heard).isEmpty();
    }

    @Test
    void refusesAStateThatIsWrittenToAfterItWasHandedOver() throws Exception {
        start(files(), RUNS_ON);
        Path partial = Files.writeString(incoming().resolve("100.tmp"), "state");
        try (var stillOpen = Files.newByteChannel(partial, StandardOpenOption.APPEND)) {
            Files.move(partial, incoming().resolve("100"));
            assertThat(next(heard)).isEqualTo("joined");
            stillOpen.write(UTF_8.encode(" and more"));
        }
        say("HOLD 1");
        assertThat(next(heard)).isEqualTo("AT 1 99");
        say("SAVE 1 100 " + encoded(copies.saved(1, 0)));
        assertThat(next(heard)).startsWith("FAILED 1 ").contains("was written to after it was handed over");
        assertThat(copies.saved(1, 0)).doesNotExist();
    }

    @Test
    void aDirectoryIsThereAgainBeforeTheNextProcessStarts() throws Exception {
        start(files(), RUNS_ON);
        Path partial = Files.createDirectory(incoming().resolve("7.tmp"));
        Files.writeString(partial.resolve("mesh"), "points");
        Files.createDirectories(partial.resolve("fields/empty"));
        Files.writeString(partial.resolve("fields/velocity"), "fast");
        Files.move(partial, incoming().resolve("7"));
        assertThat(next(heard)).isEqualTo("joined");
        say("HOLD 1");
        assertThat(next(heard)).isEqualTo("AT 1 6");
        say("SAVE 1 7 " + encoded(copies.saved(1, 0)));
        assertThat(next(heard)).startsWith("SAVED 1 " + Files.size(copies.saved(1, 0)) + " ");
        Files.copy(copies.saved(1, 0), copies.restored(0));
        restart(
                7,
                new HandoverSettings(
                        StepNames.STEP,
                        false,
                        null,
                        "cd $ALBM_RESTORED; echo $ALBM_RESTORED_STEP $(cat mesh fields/velocity) $(ls fields)",
                        BARRIER_MILLIS));
        assertThat(next(output)).isEqualTo("7 pointsfast empty velocity");
        assertThat(incoming()).as("nothing of the process before").isEmptyDirectory();
    }

    @Test
    void aDirectoryWithANameThatCouldNotBeRestoredIsRefused() throws Exception {
        start(files(), List.of("sleep", "1000"));
        Path partial = Files.createDirectory(incoming().resolve("7.tmp"));
        new ProcessBuilder("sh", "-c", "touch \"$(printf 'gr\\337e')\"")
                .directory(partial.toFile())
                .start()
                .waitFor();
        Files.move(partial, incoming().resolve("7"));
        assertThat(next(output)).startsWith("albm: the state of step 7 is refused: the name gr");
        await(() -> Files.notExists(incoming().resolve("7")));
    }

    /** Paths in it are longer than a system call takes, so that nobody can remove it by its path. */
    @Test
    void aRefusedStateThatCannotBeRemovedDoesNotHideLaterOnes() throws Exception {
        start(files(), List.of("sleep", "1000"));
        shell("mkdir 7.tmp; cd 7.tmp; name=$(printf '%0200d' 0);"
                + " for _ in $(seq 30); do mkdir $name; cd -P $name; done");
        Files.move(incoming().resolve("7.tmp"), incoming().resolve("7"));
        assertThat(next(output))
                .startsWith("albm: the state of step 7 is refused: ")
                .endsWith("; it cannot be removed and stays in " + incoming().resolve("7"));
        handOver("100", "state at 100");
        assertThat(next(heard)).isEqualTo("joined");
        handOver("50", "state at 50");
        assertThat(next(output)).as("and is told of once").startsWith("albm: the state of step 50 is refused");
        shell("rm -r 7");
    }

    private void shell(String script) throws Exception {
        Process shell = new ProcessBuilder("sh", "-c", script)
                .directory(incoming().toFile())
                .start();
        assertThat(shell.waitFor()).isZero();
    }

    @Test
    void looksAgainWhenItsDirectoryIsBack() throws Exception {
        start(files(), List.of("sleep", "1000"));
        Files.delete(incoming());
        assertThat(next(output)).startsWith("albm: cannot look for states in " + incoming() + " for now: ");
        Files.createDirectory(incoming());
        handOver("100", "state at 100");
        assertThat(next(heard)).isEqualTo("joined");
    }

    @Test
    void aFileIsThereAgainAsItWas() throws Exception {
        Files.writeString(copies.restored(0), "state at 100");
        start(OptionalLong.of(100), files(), List.of("sh", "-c", "cat $ALBM_RESTORED; echo; sleep 1000"));
        assertThat(next(output)).isEqualTo("state at 100");
    }

    @Test
    void theCommandMakesTheProgramHandOver() throws Exception {
        start(
                withCommand("echo $ALBM_PID > $ALBM_HANDOVER/a; mv $ALBM_HANDOVER/a $ALBM_HANDOVER/$ALBM_CHECKPOINT"),
                RUNS_ON);
        assertThat(next(heard)).isEqualTo("joined");
        say("HOLD 5");
        assertThat(next(heard)).isEqualTo("AT 5 4");
        assertSaved(5, 5, pids.getFirst() + "\n");
    }

    @Test
    void aCommandThatFailsFailsTheCheckpointWithItsLastWords() throws Exception {
        start(withCommand("seq 9; echo no coordinator >&2; exit 3"), RUNS_ON);
        assertThat(next(heard)).isEqualTo("joined");
        say("HOLD 5");
        assertThat(next(heard)).isEqualTo("FAILED 5 --checkpoint-cmd ended with 3: 6 | 7 | 8 | 9 | no coordinator");
    }

    @Test
    void aCommandThatHangsIsKilled() throws Exception {
        start(OptionalLong.empty(), withCommand("echo begins; sleep 1000", 1200), RUNS_ON);
        assertThat(next(heard)).isEqualTo("joined");
        say("HOLD 5");
        assertThat(next(heard)).isEqualTo("FAILED 5 --checkpoint-cmd did not end within 900 ms: begins");
    }

    @Test
    void aProgramInAnyLanguageUsesTheEndpoint() throws Exception {
        start(files(), RUNS_ON);
        String endpoint = next(output).substring("endpoint ".length());
        assertThat(http("GET", endpoint + "/need-checkpoint")).isEqualTo("200 no\n");
        assertThat(next(heard)).as("who asks can be asked").isEqualTo("joined");
        say("HOLD 1");
        await(() -> http("GET", endpoint + "/need-checkpoint").equals("200 now\n"));
        Path state = Files.writeString(directory.resolve("my-state"), "state at 40");
        assertThat(http("POST", endpoint + "/handover?step=40&path=" + encoded(state)))
                .isEqualTo("200 taken\n");
        assertThat(state).doesNotExist();
        assertThat(next(heard)).isEqualTo("AT 1 39");
        assertThat(http("GET", endpoint + "/status"))
                .startsWith("200 ")
                .contains("\"newestStep\" : 40", "\"checkpointWanted\" : false", "\"restored\" : null");
        assertThat(http("GET", endpoint + "/should-exit")).isEqualTo("200 no\n");
        say("EXIT 1");
        await(() -> http("GET", endpoint + "/should-exit").equals("200 yes\n"));
        assertThat(exits).as("who asks ends by itself").isEmpty();
    }

    @Test
    void theEndpointSaysWhatWasWrong() throws Exception {
        start(files(), RUNS_ON);
        String endpoint = next(output).substring("endpoint ".length());
        assertThat(http("GET", endpoint + "/handover")).isEqualTo("405 handover is for POST, not GET\n");
        assertThat(http("POST", endpoint + "/handover?step=x&path=/a"))
                .startsWith("400 ")
                .contains("\"x\"");
        assertThat(http("POST", endpoint + "/handover?step=1")).contains("path is given 0 times");
        assertThat(http("POST", endpoint + "/handover?step=1&path=a"))
                .startsWith("400 ")
                .contains("absolute");
        assertThat(http("POST", endpoint + "/handover?step=1&path=/no/such"))
                .isEqualTo("409 not taken: there is no /no/such\n");
        assertThat(http("GET", endpoint + "/nothing")).startsWith("404 ");
        assertThat(http("GET", endpoint.substring(0, endpoint.lastIndexOf('/')) + "/guess/status"))
                .startsWith("404 no rank");
    }

    @Test
    void endsTheProgramOfAHaltedJob() throws Exception {
        start(files(), List.of("sh", "-c", "trap 'echo saved; exit 0' TERM; echo up; while :; do sleep 0.1; done"));
        assertThat(next(output)).isEqualTo("up");
        handOver("1", "state");
        assertThat(next(heard)).isEqualTo("joined");
        say("EXIT 1");
        awaitOutput("saved");
        assertThat(next(exits)).isZero();
    }

    private void start(HandoverSettings settings, List<String> command) throws IOException {
        start(OptionalLong.empty(), settings, command);
    }

    private void start(OptionalLong restoredStep, HandoverSettings settings, List<String> line) throws IOException {
        handover = new Handover(settings, directory, transport);
        RankCommand command =
                new RankCommand(line, Map.of(), Path.of("").toAbsolutePath().toString(), settings);
        RankPreparation preparation = new RankPreparation("j", 1, command, handover, copies);
        RankProcesses started = new RankProcesses(
                preparation, new RankTable(directory), new WatchScript(directory), Thread::startVirtualThread, loop);
        processes = started;
        RankStart start = new RankStart(1, server.newControl(), restoredStep.orElse(RankStart.BEGINNING), List.of(0));
        pids = List.copyOf(onLoop(
                        () -> started.start(start, (rank, text) -> output.add(text), exit -> exits.add(exit.exit())))
                .join()
                .values());
    }

    private <T> T onLoop(Callable<T> work) {
        try {
            return loop.submit(work).get();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e);
        }
    }

    private void killAll() {
        RankProcesses started = processes;
        if (started != null) {
            onLoop(started::killAll).join();
        }
    }

    private void restart(long step, HandoverSettings settings) throws Exception {
        Handover open = handover;
        if (open != null) {
            killAll();
            open.close();
        }
        output.clear();
        start(OptionalLong.of(step), settings, RUNS_ON);
    }

    private static HandoverSettings files() {
        return new HandoverSettings(StepNames.STEP, false, null, null, BARRIER_MILLIS);
    }

    private static HandoverSettings withCommand(String command) {
        return withCommand(command, BARRIER_MILLIS);
    }

    private static HandoverSettings withCommand(String command, long barrierMillis) {
        return new HandoverSettings(StepNames.STEP, false, command, null, barrierMillis);
    }

    private Path incoming() {
        return directory.resolve("handover/rank-0/in");
    }

    private void handOver(String name, String content) throws IOException {
        Path partial = Files.writeString(incoming().resolve(name + ".tmp"), content);
        Files.move(partial, incoming().resolve(name));
    }

    private void assertSaved(long checkpoint, long step, String content) throws Exception {
        say("SAVE " + checkpoint + " " + step + " " + encoded(copies.saved(checkpoint, 0)));
        assertThat(next(heard)).isEqualTo(saved(checkpoint, content));
        assertThat(copies.saved(checkpoint, 0)).content().isEqualTo(content);
    }

    private static String saved(long checkpoint, String content) {
        CRC32C crc = new CRC32C();
        crc.update(content.getBytes(UTF_8));
        return "SAVED " + checkpoint + " " + content.length() + " " + crc.getValue();
    }

    private void say(String line) {
        RankServer.Connection connection = toRank;
        assertThat(connection).isNotNull();
        if (connection != null) {
            connection.send(line);
        }
    }

    private static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
        T value = queue.poll(20, TimeUnit.SECONDS);
        assertThat(value).isNotNull();
        return value;
    }

    /** Others may come before it. */
    private void awaitOutput(String line) throws InterruptedException {
        String said = next(output);
        while (!said.equals(line)) {
            said = next(output);
        }
    }

    private static String encoded(Path path) {
        return URLEncoder.encode(path.toAbsolutePath().toString(), UTF_8);
    }

    private String http(String method, String url) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        HttpResponse<String> response = http.send(request, HttpResponse.BodyHandlers.ofString());
        return response.statusCode() + " " + response.body();
    }

    private interface Condition {
        boolean holds() throws Exception;
    }

    private static void await(Condition condition) throws Exception {
        while (!condition.holds()) {
            Thread.onSpinWait();
        }
    }

    private final class Supervisor implements RankServer.Handler {
        @Override
        public void connected(int rank, RankServer.Connection connection) {
            toRank = connection;
            connection.send("WELCOME");
            heard.add("joined");
        }

        @Override
        public void said(int rank, RankServer.Connection connection, String[] words) {
            heard.add(URLDecoder.decode(String.join(" ", words), UTF_8));
        }

        @Override
        public void disconnected(int rank, RankServer.Connection connection) {
            // A rank leaves and joins as it has something to save.
        }
    }
}
