// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.handover;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.net.Transport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A rank beside a supervisor that is stopped: its kernel takes connections, and nobody says a word. */
@Timeout(60)
class HandoverSupervisorTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final String GREETING = "HELLO token 0";
    private static final HandoverSettings SETTINGS = new HandoverSettings(StepNames.STEP, false, null, null, 20_000);

    private final Transport transport = Transport.open(1);
    private final ServerSocket stopped = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
    private final String control = "127.0.0.1:" + stopped.getLocalPort() + "/token";
    private final BlockingQueue<String> notes = new LinkedBlockingQueue<>();
    private final Path directory;
    private final Handover handover;

    HandoverSupervisorTest(@TempDir Path directory) throws IOException {
        this.directory = directory;
        this.handover = new Handover(SETTINGS, directory, transport);
    }

    @AfterEach
    void end() throws IOException {
        stopped.close();
        transport.close();
    }

    @Test
    void holdsUpNobodyWhoEndsTheRank() throws Exception {
        HandoverRank rank = handover.prepare(new HandoverRank.Rank(0, 1, control, null, -1), notes::add);
        var _ = inTheBackground(() -> rank.take(1, state()));
        Socket connection = stopped.accept();
        assertThat(greeting(connection)).isEqualTo(GREETING);
        assertThat(inTheBackground(() -> handover.end(rank))).succeedsWithin(PATIENCE);
        assertThat(inTheBackground(handover::close)).succeedsWithin(PATIENCE);
        assertThat(connection.getInputStream().readAllBytes())
                .as("the rest, up to its end")
                .hasSizeLessThan(100);
        assertThat(notes).isEmpty();
        connection.close();
    }

    @Test
    void holdsUpNoStates() throws Exception {
        HandoverRank rank = handover.prepare(new HandoverRank.Rank(0, 1, control, null, -1), notes::add);
        assertThat(inTheBackground(() -> rank.take(1, state()))).succeedsWithin(PATIENCE);
        assertThat(inTheBackground(() -> rank.take(2, state()))).succeedsWithin(PATIENCE);
        assertThat(rank.status().newestStep()).isEqualTo(2);
        handover.close();
    }

    @Test
    void whoIsAskedForStatesComesBackWithoutOne() throws Exception {
        HandoverSettings asked = new HandoverSettings(StepNames.STEP, false, "true", null, 20_000);
        try (Handover commanded = new Handover(asked, directory.resolve("asked"), transport)) {
            HandoverRank rank = commanded.prepare(new HandoverRank.Rank(0, 1, control, null, -1), notes::add);
            rank.begin(ProcessHandle.current(), Map.of(), directory);
            stopped.setSoTimeout((int) PATIENCE.toMillis());
            stopped.accept().close();
            try (Socket again = stopped.accept()) {
                assertThat(greeting(again)).isEqualTo(GREETING);
                commanded.end(rank);
            }
        }
    }

    @Test
    void isNotWaitedForLongerThanAGreetingTakes() throws Exception {
        BlockingQueue<String> reasons = new LinkedBlockingQueue<>();
        SupervisorCall.begin(
                control, 0, Duration.ofMillis(50), (_, _) -> {}, (_, reason) -> reasons.add(String.valueOf(reason)));
        assertThat(reasons.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS)).containsIgnoringCase("timed out");
    }

    /** Waits for it: who ends a rank whose connection has just been made, ends it before that says a word. */
    private static String greeting(Socket connection) throws IOException {
        return new String(connection.getInputStream().readNBytes(GREETING.length()), US_ASCII);
    }

    private Path state() throws IOException {
        return Files.writeString(Files.createTempFile(directory, "state", ""), "state");
    }

    private interface Step {
        void run() throws Exception;
    }

    private static CompletableFuture<Void> inTheBackground(Step step) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread.startVirtualThread(() -> {
            try {
                step.run();
                done.complete(null);
            } catch (Exception e) {
                done.completeExceptionally(e);
            }
        });
        return done;
    }
}
