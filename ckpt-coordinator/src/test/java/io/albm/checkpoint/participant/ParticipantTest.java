// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.participant;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The participant library against a supervisor that is played line by line. */
@Timeout(20)
class ParticipantTest {
    private static final byte[] STATE = "state at the common step".getBytes(UTF_8);

    @TempDir
    private Path directory = Path.of("");

    private final ExecutorService program = Executors.newVirtualThreadPerTaskExecutor();
    private ServerSocket supervisor = newServer();
    private Participant rank = standalone();
    private Socket toRank = new Socket();
    private BufferedReader fromRank = new BufferedReader(new InputStreamReader(System.in, UTF_8));

    @BeforeEach
    void join() throws Exception {
        join("WELCOME");
    }

    private void join(String welcome) throws Exception {
        CompletableFuture<Participant> joining = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return Participant.join("127.0.0.1:" + supervisor.getLocalPort() + "/secret", 1, 3);
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                program);
        toRank = supervisor.accept();
        fromRank = new BufferedReader(new InputStreamReader(toRank.getInputStream(), UTF_8));
        assertThat(fromRank.readLine()).isEqualTo("HELLO secret 1");
        say(welcome);
        rank = joining.get();
    }

    @AfterEach
    void leave() throws IOException {
        rank.close();
        toRank.close();
        supervisor.close();
        program.close();
    }

    @Test
    void savesAtTheCommonStepAndNotBefore() throws Exception {
        steps(4, 7).get();
        say("HOLD 7");
        assertThat(fromRank.readLine()).isEqualTo("AT 7 6");
        CompletableFuture<Void> running = steps(7, 10);
        Path file = directory.resolve("7-1");
        say("SAVE 7 9 " + file);
        assertThat(fromRank.readLine()).isEqualTo("SAVED 7 " + STATE.length + " " + crc());
        running.get();
        assertThat(Files.readAllBytes(file)).isEqualTo(STATE);
        assertThat(directory).isDirectoryNotContaining(path -> path.toString().endsWith(".tmp"));
    }

    /** Its neighbour may stand in the same step and need what this rank sends after its next safe point. */
    @Test
    void saysWhichStepItHasBegunWithoutComingToASafePoint() throws Exception {
        steps(0, 6).get();
        say("HOLD 9");
        assertThat(fromRank.readLine()).isEqualTo("AT 9 5");
    }

    @Test
    void goesOnWithoutSavingWhenReleased() throws Exception {
        steps(4, 5).get();
        say("HOLD 7");
        assertThat(fromRank.readLine()).isEqualTo("AT 7 4");
        CompletableFuture<Void> running = steps(5, 6);
        say("RELEASE 7");
        running.get();
    }

    @Test
    void tellsTheSupervisorWhenItCannotSaveAndGoesOn() throws Exception {
        steps(0, 1).get();
        say("HOLD 3");
        assertThat(fromRank.readLine()).isEqualTo("AT 3 0");
        CompletableFuture<Void> running = steps(1, 2);
        say("SAVE 3 1 " + directory.resolve("no/such/directory/3-1"));
        assertThat(fromRank.readLine()).startsWith("FAILED 3 ");
        running.get();
    }

    @Test
    void staysAfterTheLastCheckpointUntilItIsCompleteAndThenIsToEnd() throws Exception {
        CompletableFuture<Void> running = saveLast(7);
        assertThat(running).isNotDone();
        assertThat(rank.shouldExit()).isFalse();
        say("DURABLE 7");
        say("EXIT 7");
        running.get();
        assertThat(rank.shouldExit()).isTrue();
        assertThat(rank.durable().get()).isEqualTo(7);
    }

    @Test
    void goesOnAfterTheLastCheckpointIfItWasGivenUp() throws Exception {
        CompletableFuture<Void> running = saveLast(7);
        say("RELEASE 7");
        running.get();
        assertThat(rank.shouldExit()).isFalse();
        assertThat(rank.durable())
                .failsWithin(Duration.ofSeconds(10))
                .withThrowableThat()
                .withCauseInstanceOf(CheckpointAbortedException.class);
    }

    @Test
    void saysWhetherACheckpointIsWantedAndWhatBecameOfTheLast() throws Exception {
        assertThat(rank.durable().get()).as("none was saved").isZero();
        steps(0, 3).get();
        assertThat(rank.needCheckpoint()).isFalse();
        say("HOLD 4");
        assertThat(fromRank.readLine()).isEqualTo("AT 4 2");
        assertThat(rank.needCheckpoint()).isTrue();
        CompletableFuture<Void> running = steps(3, 5);
        say("SAVE 4 3 " + directory.resolve("4-1"));
        assertThat(fromRank.readLine()).startsWith("SAVED 4");
        running.get();
        assertThat(rank.needCheckpoint()).isFalse();
        CompletableFuture<Long> durable = rank.durable();
        assertThat(durable).isNotDone();
        say("DURABLE 4");
        assertThat(durable.get()).isEqualTo(4);
    }

    @Test
    void savesFilesAndBuffersUnderNamesAndGivesThemBack() throws Exception {
        assertThat(rank.restoreParts()).as("the job begins").isEmpty();
        Path mesh = Files.writeString(directory.resolve("mesh"), "points");
        steps(0, 1).get();
        say("HOLD 1");
        assertThat(fromRank.readLine()).isEqualTo("AT 1 0");
        Path file = directory.resolve("1-1");
        say("SAVE 1 1 " + file);
        CompletableFuture.runAsync(
                        () -> {
                            try {
                                rank.checkpointParts(1, parts -> {
                                    parts.add("mesh", mesh);
                                    parts.add("velocity", ByteBuffer.wrap(STATE));
                                });
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        },
                        program)
                .get();
        assertThat(fromRank.readLine()).startsWith("SAVED 1 " + Files.size(file) + " ");
        joinAnew("WELCOME " + URLEncoder.encode(file.toString(), UTF_8));
        try (SavedParts parts = rank.restoreParts().orElseThrow()) {
            assertThat(parts.names()).containsExactly("mesh", "velocity");
            assertThat(parts.open("velocity")).hasBinaryContent(STATE);
            Path copy = directory.resolve("copy");
            parts.copyTo("mesh", copy);
            assertThat(copy).hasContent("points");
            assertThatThrownBy(() -> parts.open("pressure")).hasMessageContaining("[mesh, velocity]");
        }
        joinAnew("WELCOME " + URLEncoder.encode(mesh.toString(), UTF_8));
        assertThatThrownBy(() -> rank.restoreParts()).hasMessageContaining("not by checkpointParts()");
    }

    private void joinAnew(String welcome) throws Exception {
        rank.close();
        toRank.close();
        join(welcome);
    }

    @Test
    void exchangesOneValueOfEachRank() throws Exception {
        CompletableFuture<List<String>> exchanging = CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return rank.exchange("here: 1 2");
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                program);
        assertThat(fromRank.readLine()).isEqualTo("EXCHANGE here%3A+1+2");
        say("ALL a b%2B c");
        assertThat(exchanging.get()).containsExactly("a", "b+", "c");
    }

    @Test
    void isAloneWithoutASupervisor() throws IOException {
        try (Participant alone = standalone()) {
            alone.checkpoint(0, out -> {
                throw new AssertionError("nobody asked");
            });
            assertThat(alone.ranks()).isOne();
            assertThat(alone.restore()).isEmpty();
            assertThat(alone.exchange("x")).containsExactly("x");
        }
    }

    @Test
    void refusesAMalformedControlAddress() {
        assertThatThrownBy(() -> Participant.join("nonsense", 0, 1)).hasMessageContaining("expected host:port/token");
    }

    private CompletableFuture<Void> saveLast(long checkpoint) throws Exception {
        steps(0, 1).get();
        say("HOLD " + checkpoint);
        assertThat(fromRank.readLine()).isEqualTo("AT " + checkpoint + " 0");
        CompletableFuture<Void> running = steps(1, 2);
        say("SAVE " + checkpoint + " 1 " + directory.resolve("state") + " last");
        assertThat(fromRank.readLine()).startsWith("SAVED " + checkpoint);
        return running;
    }

    private CompletableFuture<Void> steps(long from, long end) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        for (long step = from; step < end; step++) {
                            rank.checkpoint(step, out -> out.write(STATE));
                        }
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                },
                program);
    }

    private void say(String line) throws IOException {
        toRank.getOutputStream().write((line + "\n").getBytes(UTF_8));
    }

    private static long crc() {
        CRC32C crc = new CRC32C();
        crc.update(STATE);
        return crc.getValue();
    }

    private static Participant standalone() {
        try {
            return Participant.join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static ServerSocket newServer() {
        try {
            return new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
