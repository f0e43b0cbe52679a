// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.handover;

import io.albm.checkpoint.rank.Processes;
import io.albm.checkpoint.rank.StateFile;
import io.albm.checkpoint.rank.SupervisorLines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Beside one process of a rank that hands over its states: takes them into its keeping and speaks to the supervisor in
 * the program's place. One for each process; thread-safe.
 */
public final class HandoverRank implements AutoCloseable {
    /** Between two looks at the directory; the file system says of most changes by itself. */
    private static final Duration LOOK = Duration.ofMillis(500);

    /** While a file is written in place, whose end the file system does not tell. */
    private static final Duration CLOSE_LOOK = Duration.ofMillis(20);

    /** For a supervisor that is there to greet; one that is stopped does not. */
    private static final Duration GREETING = Duration.ofSeconds(10);

    /** Before a lost connection is replaced of a rank that can be asked for a state at any time. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /**
     * A rank that is to be started.
     *
     * @param control where its supervisor is, as in {@code ALBM_CONTROL}
     * @param restored the file of the state that it goes on from; null at the beginning
     * @param restoredStep its step; −1 at the beginning
     */
    public record Rank(
            int rank, int ranks, String control, @Nullable Path restored, long restoredStep) {}

    private final Rank rank;
    private final HandoverSettings settings;
    private final Path incoming;
    private final KeptStates kept;
    private final @Nullable Path restored;
    private final @Nullable CheckpointCommand command;
    private final Consumer<String> notes;
    private final HandoverProtocol protocol;
    private final Map<String, String> environment = new HashMap<>();
    private @Nullable SupervisorCall supervisor;
    private @Nullable ProcessHandle process;
    private Path workingDirectory = Path.of("");
    private List<ProcessHandle> ending = List.of();
    private boolean endsByItself;
    private volatile boolean closed;

    /** The user knows that the supervisor does not answer. */
    private boolean isLossTold;

    /** The last look failed; of the thread that looks. */
    private boolean isBlind;

    /**
     * Makes all ready for a process to start: what an earlier one left is removed, a restored state is unpacked.
     *
     * @param directory of this rank, on the file system where saved states go
     * @param notes gets what the job's user should know, a line each
     */
    HandoverRank(Rank rank, HandoverSettings settings, Path directory, Consumer<String> notes) throws IOException {
        this.rank = rank;
        this.settings = settings;
        this.notes = notes;
        Path own = directory.toAbsolutePath();
        Trees.delete(own);
        incoming = Files.createDirectories(own.resolve("in"));
        kept = new KeptStates(Files.createDirectories(own.resolve("kept")));
        restored = unpacked(rank.restored(), own.resolve("restored"));
        // An own failure is to be told before the coordinator gives the checkpoint up.
        command = settings.checkpointCommand() == null
                ? null
                : new CheckpointCommand(
                        settings.checkpointCommand(), Duration.ofMillis(settings.barrierMillis() * 3 / 4));
        protocol = new HandoverProtocol(rank.restoredStep(), command != null, new Effects());
        environment.put("ALBM_HANDOVER", incoming.toString());
        if (restored != null) {
            environment.put("ALBM_RESTORED", restored.toString());
            environment.put("ALBM_RESTORED_STEP", Long.toString(rank.restoredStep()));
        }
    }

    private static @Nullable Path unpacked(@Nullable Path state, Path directory) throws IOException {
        if (state == null || !StateArchive.isArchive(state)) {
            return state == null ? null : state.toAbsolutePath();
        }
        StateArchive.unpack(state, directory);
        return directory;
    }

    /** Where its program reaches it. */
    void reachedAt(String endpoint) {
        environment.put("ALBM_ENDPOINT", endpoint);
    }

    /** What the process needs, beside what every rank has. */
    public Map<String, String> environment() {
        return Map.copyOf(environment);
    }

    /** What to start: the rank's own command, or the one for a restart. */
    public List<String> command(List<String> own) {
        return restored == null || settings.restartCommand() == null
                ? own
                : List.of("sh", "-c", settings.restartCommand());
    }

    /**
     * The process runs. Returns at once: the supervisor, which must answer, may be the caller.
     *
     * @param with all that it has beside the environment of this one
     * @param where it was started
     */
    public synchronized void begin(ProcessHandle started, Map<String, String> with, Path where) {
        process = started;
        environment.putAll(with);
        environment.put("ALBM_PID", Long.toString(started.pid()));
        workingDirectory = where;
        Thread.ofVirtual().name("handover-" + rank.rank()).start(() -> {
            takePart();
            watch(started);
        });
    }

    private synchronized void takePart() {
        protocol.begin();
    }

    private void watch(ProcessHandle started) {
        HandoverDirectory directory = new HandoverDirectory(incoming, settings.names(), settings.inPlace(), started);
        try (Arrivals arrivals = Arrivals.in(incoming)) {
            while (!closed) {
                scan(directory);
                arrivals.await(directory.isBeingWritten() ? CLOSE_LOOK : LOOK);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What fails, as when a file goes away meanwhile, is tried at the next look; the user is told once. */
    private void scan(HandoverDirectory directory) {
        try {
            directory.scan(this::found);
            isBlind = false;
        } catch (IOException | UncheckedIOException e) {
            if (!closed && !isBlind) {
                notes.accept("albm: cannot look for states in " + incoming + " for now: " + e);
            }
            isBlind = true;
        }
    }

    private void found(long step, Path state) {
        try {
            take(step, state);
        } catch (IOException e) {
            String stays = removed(state) ? "" : "; it cannot be removed and stays in " + state;
            notes.accept("albm: the state of step " + step + " is refused: " + e.getMessage() + stays);
        }
    }

    /** A state that stays in its place must not keep later ones from being taken. */
    private static boolean removed(Path state) {
        try {
            Trees.delete(state);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Takes a whole state into the rank's keeping; afterwards it is gone from its place.
     *
     * @throws IOException if it is refused, in words for the program's user
     */
    synchronized void take(long step, Path state) throws IOException {
        if (!protocol.accepts(step)) {
            long newest = Math.max(protocol.newest(), rank.restoredStep());
            throw new IOException("step " + newest + " was there before, and steps must rise");
        }
        kept.take(state, step);
        protocol.taken(step);
    }

    /** What the program may want to know. */
    record Status(
            int rank,
            int ranks,
            @Nullable String restored,
            @Nullable Long restoredStep,
            @Nullable Long newestStep,
            boolean checkpointWanted,
            @Nullable Long wantedStep,
            boolean shouldExit) {}

    synchronized Status status() {
        return new Status(
                rank.rank(),
                rank.ranks(),
                restored == null ? null : restored.toString(),
                restored == null ? null : rank.restoredStep(),
                protocol.newest() < 0 ? null : protocol.newest(),
                protocol.isWanted(),
                protocol.wantedStep().isPresent() ? protocol.wantedStep().getAsLong() : null,
                protocol.isEnding());
    }

    /** The program looks whether a checkpoint is wanted, and will do so again. */
    synchronized void asksForCheckpoints() {
        protocol.asks();
    }

    /** The program looks whether it is to end: nobody else need end it. */
    synchronized void asksForTheEnd() {
        endsByItself = true;
    }

    private synchronized void hear(SupervisorCall call, String[] words) {
        if (call != supervisor) {
            return;
        }
        isLossTold = false;
        switch (words[0]) {
            case "HOLD" -> protocol.hold(Long.parseLong(words[1]));
            case "SAVE" ->
                protocol.save(
                        Long.parseLong(words[1]),
                        Long.parseLong(words[2]),
                        SupervisorLines.decoded(words[3]),
                        words.length > 4 && words[4].equals("last"));
            case "RELEASE" -> protocol.release(Long.parseLong(words[1]));
            case "DURABLE" -> protocol.durable(Long.parseLong(words[1]));
            case "EXIT" -> protocol.exit();
            default -> notes.accept("albm: the supervisor said something unknown: " + words[0]);
        }
    }

    private synchronized void lost(SupervisorCall call, @Nullable String reason) {
        if (call != supervisor) {
            return;
        }
        hangUp();
        protocol.disconnected();
        if (reason != null && !isLossTold) {
            isLossTold = true;
            notes.accept("albm: this rank is not checkpointed for now: " + reason);
        }
        if (command != null) {
            Thread.ofVirtual().name("handover-again-" + rank.rank()).start(this::takePartAgain);
        }
    }

    /** Nothing else would: such a program hands over only what is asked for. */
    private void takePartAgain() {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        synchronized (this) {
            if (!closed && !protocol.isEnding()) {
                protocol.begin();
            }
        }
    }

    private void save(long checkpoint, long step, Path file) {
        try {
            StateFile state = kept.save(step, file);
            synchronized (this) {
                protocol.saved(checkpoint);
                say("SAVED " + checkpoint + " " + state.size() + " " + state.crc32c());
            }
        } catch (IOException e) {
            failed(checkpoint, String.valueOf(e.getMessage()));
        }
    }

    private void request(CheckpointCommand hook, long checkpoint) {
        Map<String, String> variables = new HashMap<>(environment());
        variables.put("ALBM_CHECKPOINT", Long.toString(checkpoint));
        try {
            hook.run(variables, workingDirectory);
        } catch (IOException e) {
            failed(checkpoint, String.valueOf(e.getMessage()));
        }
    }

    private synchronized void failed(long checkpoint, String reason) {
        protocol.failed(checkpoint, reason);
    }

    private void say(String line) {
        if (supervisor != null) {
            supervisor.say(line);
        }
    }

    private void hangUp() {
        if (supervisor != null) {
            supervisor.close();
            supervisor = null;
        }
    }

    /** The process has ended. What of its family was to end and still runs is killed. */
    @Override
    public synchronized void close() {
        closed = true;
        hangUp();
        if (command != null) {
            command.cancel();
        }
        ending.forEach(ProcessHandle::destroyForcibly);
    }

    /** What the protocol wants; all of it within this object's monitor. */
    private final class Effects implements HandoverProtocol.Effects {
        @Override
        public boolean join() {
            if (closed) {
                return false;
            }
            supervisor = SupervisorCall.begin(
                    rank.control(), rank.rank(), GREETING, HandoverRank.this::hear, HandoverRank.this::lost);
            return true;
        }

        @Override
        public void leave() {
            say("END");
            hangUp();
        }

        @Override
        public void at(long checkpoint, long begun) {
            say("AT " + checkpoint + " " + begun);
        }

        @Override
        public void save(long checkpoint, long step, String file) {
            Thread.ofVirtual()
                    .name("handover-save-" + rank.rank())
                    .start(() -> HandoverRank.this.save(checkpoint, step, Path.of(file)));
        }

        @Override
        public void fail(long checkpoint, String reason) {
            say("FAILED " + checkpoint + " " + SupervisorLines.encoded(reason));
        }

        @Override
        public void request(long checkpoint) {
            if (command != null) {
                Thread.ofVirtual()
                        .name("handover-request-" + rank.rank())
                        .start(() -> HandoverRank.this.request(command, checkpoint));
            }
        }

        @Override
        public void cancelRequest() {
            if (command != null) {
                command.cancel();
            }
        }

        @Override
        public void drop(long step) {
            try {
                kept.drop(step);
            } catch (IOException e) {
                notes.accept("albm: cannot remove the state of step " + step + ": " + e);
            }
        }

        @Override
        public void end() {
            if (!endsByItself && process != null) {
                ending = Processes.family(process);
                ending.forEach(ProcessHandle::destroy);
            }
        }

        @Override
        public void note(String text) {
            notes.accept("albm: " + text);
        }
    }
}
