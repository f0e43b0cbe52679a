// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.participant;

import io.albm.checkpoint.rank.StateFile;
import io.albm.checkpoint.rank.SupervisorLines;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;

/**
 * What the supervisor and this program say to each other. A thread of its own reads what the supervisor wants; the program's thread looks at it at safe points.
 */
final class SupervisorConnection implements AutoCloseable {
    /** As of a process that was killed: it did not end by its own will. */
    private static final int EXIT_ORPHANED = 137;

    /** What the supervisor wants of this rank now. */
    private sealed interface Request {
        record Nothing() implements Request {}

        record Hold(long checkpoint) implements Request {}

        record Save(long checkpoint, long step, Path file, boolean last) implements Request {}

        /** The last checkpoint of a job that is being halted is saved; what becomes of it decides. */
        record Stay(long checkpoint) implements Request {}
    }

    /** No safe point was reached yet. */
    private static final long NONE = -1;

    private static final Request NOTHING = new Request.Nothing();

    private final SupervisorLines lines;
    private @Nullable List<String> exchanged;
    private volatile Request request = NOTHING;
    private volatile long begun = NONE;
    private boolean reported;
    private volatile boolean closed;
    private volatile boolean exiting;
    private long savedCheckpoint;
    private CompletableFuture<Long> durable = CompletableFuture.completedFuture(0L);

    private SupervisorConnection(SupervisorLines lines) {
        this.lines = lines;
    }

    /** @param control {@code host:port/token} */
    static SupervisorConnection open(String control, int rank) throws IOException {
        SupervisorConnection connection = new SupervisorConnection(SupervisorLines.open(control, rank));
        Thread.ofPlatform().daemon().name("albm-participant").start(connection::listen);
        return connection;
    }

    /** The file of the state that this rank goes on from; empty at the beginning. */
    Optional<Path> restored() {
        return lines.restored();
    }

    /**
     * The step is written before the request is read, and the listening thread does it the other way round: either this
     * thread sees the hold and waits here, or the supervisor hears that this step has begun.
     */
    void safePoint(long step, StateWriter writer) throws IOException {
        begun = step;
        if (request instanceof Request.Nothing) {
            return;
        }
        if (decided(step) instanceof Request.Save save && step == save.step()) {
            save(save, writer);
            stay();
        }
    }

    boolean needsCheckpoint() {
        return !(request instanceof Request.Nothing);
    }

    boolean shouldExit() {
        return exiting;
    }

    synchronized CompletableFuture<Long> durable() {
        return durable.copy();
    }

    /** So that no rank computes what would be lost, and all end at the same step. */
    private synchronized void stay() throws IOException {
        try {
            while (request instanceof Request.Stay) {
                wait();
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Waits while ranks gather. */
    private synchronized Request decided(long step) throws IOException {
        try {
            while (request instanceof Request.Hold hold) {
                report(hold, step - 1);
                wait();
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        return request;
    }

    /** Once for each hold; a rank that is still starting reports at its first safe point. */
    private synchronized void report(Request.Hold hold, long step) throws IOException {
        if (!reported) {
            reported = true;
            lines.send("AT " + hold.checkpoint() + " " + step);
        }
    }

    private synchronized void hold(Request.Hold hold) throws IOException {
        reported = false;
        request = hold;
        if (begun != NONE) {
            report(hold, begun);
        }
    }

    private void save(Request.Save save, StateWriter writer) throws IOException {
        try {
            StateFile state = StateFile.write(save.file(), writer::write);
            saved(save);
            lines.send("SAVED " + save.checkpoint() + " " + state.size() + " " + state.crc32c());
        } catch (IOException e) {
            System.err.println("albm: checkpoint " + save.checkpoint() + " is given up: " + e);
            lines.send("FAILED " + save.checkpoint() + " " + SupervisorLines.encoded(String.valueOf(e.getMessage())));
        } finally {
            settled(save);
        }
    }

    private synchronized void settled(Request.Save save) {
        if (request.equals(save)) {
            request =
                    savedCheckpoint == save.checkpoint() && save.last() ? new Request.Stay(save.checkpoint()) : NOTHING;
        }
    }

    private synchronized void saved(Request.Save save) {
        savedCheckpoint = save.checkpoint();
        durable = new CompletableFuture<>();
    }

    private synchronized void released(long checkpoint) {
        request = NOTHING;
        if (checkpoint == savedCheckpoint) {
            CheckpointAbortedException aborted = new CheckpointAbortedException(checkpoint);
            CompletableFuture<Long> given = durable;
            ForkJoinPool.commonPool().execute(() -> given.completeExceptionally(aborted));
        }
    }

    private synchronized void committed(long checkpoint) {
        if (checkpoint == savedCheckpoint) {
            durable.completeAsync(() -> checkpoint);
        }
    }

    synchronized List<String> exchange(String value) throws IOException {
        exchanged = null;
        lines.send("EXCHANGE " + SupervisorLines.encoded(value));
        try {
            while (exchanged == null) {
                wait();
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        return exchanged;
    }

    private static IOException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new IOException("interrupted while the ranks gather", cause);
    }

    private void listen() {
        try {
            for (String[] words = lines.read(); words.length > 0; words = lines.read()) {
                take(words);
            }
        } catch (SocketTimeoutException e) {
            System.err.println("albm: nothing was heard for the lease of this rank");
        } catch (IOException e) {
            // The same as an orderly end: the supervisor is gone.
        }
        if (!closed) {
            System.err.println("albm: the supervisor of this job is gone; this rank ends");
            Runtime.getRuntime().halt(EXIT_ORPHANED);
        }
    }

    private synchronized void take(String[] words) throws IOException {
        switch (words[0]) {
            case "HOLD" -> hold(new Request.Hold(Long.parseLong(words[1])));
            case "SAVE" ->
                request = new Request.Save(
                        Long.parseLong(words[1]),
                        Long.parseLong(words[2]),
                        Path.of(SupervisorLines.decoded(words[3])),
                        words.length > 4 && words[4].equals("last"));
            case "RELEASE" -> released(Long.parseLong(words[1]));
            case "DURABLE" -> committed(Long.parseLong(words[1]));
            case "EXIT" -> {
                exiting = true;
                request = NOTHING;
            }
            case "ALL" -> exchanged = values(words);
            default -> System.err.println("albm: the supervisor said something unknown: " + words[0]);
        }
        notifyAll();
    }

    private static List<String> values(String[] words) {
        List<String> values = new ArrayList<>();
        for (int i = 1; i < words.length; i++) {
            values.add(SupervisorLines.decoded(words[i]));
        }
        return List.copyOf(values);
    }

    @Override
    public void close() throws IOException {
        lines.send("END");
        closed = true;
        lines.close();
    }
}
