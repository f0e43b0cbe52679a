// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import io.albm.checkpoint.control.RestoredState;
import io.albm.checkpoint.protocol.StoredUnit;
import io.albm.checkpoint.strategy.TcpSegments;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * A host that runs ranks of one job and keeps their local copies. All methods are called on the supervisor's loop and do
 * not block; unless said otherwise, futures complete on any thread.
 */
public interface RankHost extends AutoCloseable {
    /** What a host tells, on any thread. */
    interface Listener {
        /** A rank wrote a line to its standard output or error. */
        void output(int rank, String line);

        /** A rank ended by itself: not because all were killed. */
        void exited(RankExit exit);

        /**
         * The host is not used any more: it is silent, or has ended its ranks. They may still run until {@link #killAll} is
         * done. Told once.
         */
        void lost(String host, String reason);

        /** The host obeys a supervisor that registered later. */
        void superseded(String host);

        /** Something that an operator should know. */
        void notice(String text);
    }

    String name();

    /**
     * Kills what an earlier supervisor has left here and removes the states that it fetched.
     *
     * @return how many ranks there were, all seen dead
     */
    CompletableFuture<Integer> killLeftOvers();

    /**
     * Starts ranks. Completes on the loop, with their pids; fails with {@link HostLostException} if the host is lost, with
     * anything else if they cannot be started. Nobody hears of one that {@link #killAll} came before: it starts nothing.
     */
    CompletableFuture<Map<Integer, Long>> start(RankStart start);

    /**
     * Kills all ranks that were started here. Done when none of them can do anything any more (docs/checkpointing.md says
     * how that is known), and every exit before was told. Never fails.
     */
    CompletableFuture<Void> killAll();

    /**
     * Ranks that run here, or are started here later, may do so until then; a host that is never told has no lease.
     *
     * @param until a time of this process's monotonic clock, in nanoseconds
     */
    void renew(long until);

    /** The connection of a rank that had not said its end was seen at its end: it has ended. */
    void disconnected(int rank);

    /** Where a rank of this host writes its state. */
    Path saved(long checkpoint, int rank);

    /** Where a rank of this host finds the state that it goes on from. */
    Path restored(int rank);

    /**
     * Puts a rank's state together at {@link #restored}. A later order for the rank ends this one. Fails with {@link
     * io.albm.checkpoint.protocol.LostDataException} if stored bytes are gone.
     */
    CompletableFuture<RestoredState> restore(RestoreOrder order);

    /**
     * Brings a local copy to the striped store; may be asked for again. Fails with {@link
     * io.albm.checkpoint.savings.TornStateException} if the copy is not what its rank wrote.
     */
    CompletableFuture<StoredUnit> drain(DrainOrder order);

    /**
     * Copies states of other hosts' ranks to this one, and removes what it has of others. A later order ends this one.
     *
     * @return the ranks whose copy is here, whole; what became of the others is in this host's log
     */
    CompletableFuture<Set<Integer>> hold(PartnerOrder order);

    /** Removes the local copies of a checkpoint. */
    void discard(long checkpoint);

    /** Removes the local copies of older checkpoints. */
    void discardBefore(long checkpoint);

    /** What the host has sent over TCP, as last known. */
    TcpSegments segments();

    /** How far it has come with the states of the checkpoint in hand, as last known, in bytes; more is progress. */
    long drainProgress();

    /** Lets the host go; its ranks are dead by then, or die by its lease. */
    @Override
    void close();
}
