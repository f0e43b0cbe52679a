// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.participant;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One rank of a job that can be checkpointed.
 *
 * <pre>{@code
 * try (Participant me = Participant.join()) {
 *     long step = 0;
 *     Optional<InputStream> saved = me.restore();
 *     if (saved.isPresent()) { ... read step and data ... }
 *     List<String> addresses = me.exchange("127.0.0.1:" + port);
 *     while (step < last) {
 *         me.checkpoint(step, out -> ... write step and data ...);
 *         if (me.shouldExit()) {
 *             return;
 *         }
 *         ... compute one step, exchange with neighbours ...
 *         step++;
 *     }
 * }
 * }</pre>
 *
 * <p><b>Safe points.</b> A call of {@link #checkpoint} says: everything that other ranks need from me to come to this
 * step is sent, and nothing that was sent to me for earlier steps is still unread. All ranks must count steps alike. The
 * call costs two volatile accesses unless a checkpoint is wanted. Then every rank says which step it has begun, waits at
 * its next safe point for the common step, one after the highest begun, goes on to it and saves there. So the saved
 * states fit together without logging messages, and no rank waits for one that waits for it.
 *
 * <p><b>When the supervisor dies,</b> so does this process, at once: a restarted job must never meet ranks of before.
 *
 * <p>A program that was not started by {@code albm job run} joins as the only rank of a job without checkpoints.
 *
 * <p>One thread at a time may use it.
 */
public final class Participant implements AutoCloseable {
    private final int rank;
    private final int ranks;
    private final @Nullable SupervisorConnection supervisor;

    private Participant(int rank, int ranks, @Nullable SupervisorConnection supervisor) {
        this.rank = rank;
        this.ranks = ranks;
        this.supervisor = supervisor;
    }

    /**
     * Joins the job whose supervisor started this process.
     *
     * @throws IOException if the supervisor cannot be reached
     */
    public static Participant join() throws IOException {
        String control = System.getenv("ALBM_CONTROL");
        if (control == null) {
            return new Participant(0, 1, null);
        }
        int rank = Integer.parseInt(System.getenv().getOrDefault("ALBM_RANK", "0"));
        int ranks = Integer.parseInt(System.getenv().getOrDefault("ALBM_RANKS", "1"));
        return join(control, rank, ranks);
    }

    static Participant join(String control, int rank, int ranks) throws IOException {
        return new Participant(rank, ranks, SupervisorConnection.open(control, rank));
    }

    /** This process's number, from 0. */
    public int rank() {
        return rank;
    }

    /** The number of ranks, at least 1. */
    public int ranks() {
        return ranks;
    }

    /** The state from which this rank goes on; empty if the job begins. Its bytes have been verified. */
    public Optional<InputStream> restore() throws IOException {
        Optional<Path> state = restored();
        return state.isEmpty()
                ? Optional.empty()
                : Optional.of(new BufferedInputStream(Files.newInputStream(state.get())));
    }

    /**
     * A safe point before the given step. Returns at once, unless a checkpoint is wanted. If the state cannot be saved,
     * the checkpoint is given up, and the job runs on.
     *
     * @param step steps done so far, from 0, one more at each call
     * @param writer called at most once, before this returns, in this thread
     * @throws IOException if the supervisor cannot be told
     */
    public void checkpoint(long step, StateWriter writer) throws IOException {
        if (supervisor != null) {
            supervisor.safePoint(step, writer);
        }
    }

    /**
     * The same, for a state of several parts: files and buffers under names. {@link #restoreParts} gives them back.
     *
     * @param writer as in {@link #checkpoint}
     */
    public void checkpointParts(long step, StateParts.Writer writer) throws IOException {
        checkpoint(step, ZipParts.written(writer));
    }

    /**
     * The parts of the state from which this rank goes on; empty if the job begins. The caller closes them.
     *
     * @throws IOException if the state was not saved by {@link #checkpointParts}
     */
    public Optional<SavedParts> restoreParts() throws IOException {
        Optional<Path> state = restored();
        return state.isEmpty() ? Optional.empty() : Optional.of(SavedParts.open(state.get()));
    }

    private Optional<Path> restored() {
        return supervisor == null ? Optional.empty() : supervisor.restored();
    }

    /**
     * A checkpoint is wanted: one of the next calls of {@link #checkpoint} waits for the other ranks or saves. For
     * programs that have something to prepare; every step must call {@link #checkpoint} all the same. Costs one volatile
     * access.
     */
    public boolean needCheckpoint() {
        return supervisor != null && supervisor.needsCheckpoint();
    }

    /**
     * The job is being halted, and its last checkpoint is complete: this rank is to end now, with {@link #close} and exit
     * code 0; the job goes on from here when it is started again. Becomes true within {@link #checkpoint}, at the same
     * step on all ranks, unless the coordinator was lost meanwhile. A rank that does not end is killed after a while.
     */
    public boolean shouldExit() {
        return supervisor != null && supervisor.shouldExit();
    }

    /**
     * What becomes of the last checkpoint that this rank saved: done with its number when it is complete in the striped
     * storage, so that nothing of it can be lost any more; fails with {@link CheckpointAbortedException} if it was given
     * up. Done with 0 if this process has saved none. What depends on it runs in the common pool.
     */
    public CompletableFuture<Long> durable() {
        return supervisor == null ? CompletableFuture.completedFuture(0L) : supervisor.durable();
    }

    /**
     * Gives every rank a value of every rank, in rank order; waits until all have called it. After a rollback all ranks
     * are new processes and call it again.
     *
     * @param value one line, such as the address on which this rank listens
     */
    public List<String> exchange(String value) throws IOException {
        return supervisor == null ? List.of(value) : supervisor.exchange(value);
    }

    /** Takes part no longer: no more checkpoints begin in this job. */
    @Override
    public void close() throws IOException {
        if (supervisor != null) {
            supervisor.close();
        }
    }
}
