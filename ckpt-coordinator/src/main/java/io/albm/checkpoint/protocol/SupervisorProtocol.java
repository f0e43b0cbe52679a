// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import io.albm.checkpoint.strategy.TcpSegments;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The supervisor's side of the checkpoint protocol: what the ranks of one job do for the checkpoint in hand. Without
 * I/O; effects go through {@link Effects}, which must not call back before they return.
 *
 * <p>A rank that dies before all have saved spoils the checkpoint. One that dies later does not: the supervisor, not
 * the rank, brings the local copies to stable storage and the coordinator commits, so that nothing depends on the
 * application living until its next call.
 *
 * <p>While no coordinator is heard, ranks must not stand still: after {@link #SILENCE} a checkpoint for which they wait is
 * given up. One that all have saved and run on from is kept, however long that lasts: the next leader resumes it, and
 * silence need not mean that none leads, since one that reads the coordination store or collects old checkpoints says
 * nothing. Only ranks that are to go back wait for it no longer than that.
 *
 * <p>Not thread-safe.
 */
public final class SupervisorProtocol {
    /** After this long without a command nobody waits for the checkpoint in hand any more. */
    public static final Duration SILENCE = Duration.ofSeconds(10);

    /** What happens outside. */
    public interface Effects {
        /** Every rank says by {@link #begun} which step it has begun, and waits at its next safe point. */
        void hold(long checkpoint);

        /**
         * Every rank goes on to the step, saves there and says so by {@link #saved}.
         *
         * @param last ranks wait then, until {@link #halt} or {@link #release}
         */
        void save(long checkpoint, long step, boolean last);

        /** Ranks that wait for this checkpoint run on; nothing of it is saved any more. */
        void release(long checkpoint);

        /**
         * Brings a local copy to stable storage, fenced by {@link #epoch}, then {@link #stored}, {@link #notStored} or {@link
         * #failed}.
         *
         * @param base the complete checkpoint whose pages need not be stored again; 0 for none
         */
        void drain(long checkpoint, long base, int rank, LocalCopy copy);

        /** The checkpoint is complete: its local copies are good for a restart, those of others of no more use. */
        void committed(long checkpoint);

        /** The last checkpoint of the job's run is complete: all ranks end. */
        void halt(long checkpoint);

        /** Local copies of this checkpoint are of no more use. */
        void discard(long checkpoint);
    }

    private final int ranks;
    private final Effects effects;
    private final Set<Integer> joined = new HashSet<>();
    private long lastLog;
    private long highestEpoch;
    private long heard;
    private boolean silent;
    private @Nullable InHand inHand;
    private boolean halted;

    /** @param logs where the numbers of its {@link Reports} begin: at random, so that no other supervisor of the job has the same */
    public SupervisorProtocol(int ranks, Effects effects, long logs) {
        this.ranks = ranks;
        this.effects = effects;
        this.lastLog = logs;
    }

    /** Takes a command of a coordinator. */
    public Answer on(Command command, long now) {
        if (command.epoch() < highestEpoch) {
            return new Answer.Fenced(highestEpoch);
        }
        highestEpoch = command.epoch();
        heard = now;
        silent = false;
        switch (command) {
            case Command.Observe observe -> settle(observe.latest());
            case Command.Prepare prepare -> prepare(prepare.checkpoint());
            case Command.Save save -> save(save);
            case Command.Drain drain -> drain(drain);
        }
        return status(command.heard());
    }

    /** Lets time pass: gives up what ranks wait for and no coordinator asks for any more. */
    public void tick(long now) {
        silent = now - heard > SILENCE.toNanos();
        if (silent && inHand != null && inHand.isWaitedFor(ranks)) {
            spoil(inHand, "no coordinator was heard for " + SILENCE.toSeconds() + " s");
        }
    }

    /** A rank runs and uses the participant library. */
    public void joined(int rank) {
        joined.add(rank);
    }

    /** A rank has ended or died: no new checkpoint begins. */
    public void left(int rank) {
        joined.remove(rank);
        if (inHand != null && !inHand.isSaved(ranks)) {
            spoil(inHand, "rank " + rank + " ended before all had saved");
        }
    }

    /** A rank has begun this step and goes no further than the next safe point. */
    public void begun(long checkpoint, int rank, long step) {
        usable(checkpoint).ifPresent(held -> held.reports.begun(rank, step));
    }

    /** A rank's state is on the local disk, synced. */
    public void saved(long checkpoint, int rank, LocalCopy copy) {
        usable(checkpoint).ifPresent(held -> {
            held.saved.put(rank, copy);
            held.reports.saved(rank, copy);
        });
    }

    /** A rank's state is durable in the striped store. */
    public void stored(long checkpoint, StoredUnit unit) {
        usable(checkpoint).ifPresent(held -> {
            held.stored.add(unit.rank());
            held.reports.stored(unit);
        });
    }

    /** A rank's state cannot be stored for now: it is tried again when a coordinator asks for the checkpoint next. */
    public void notStored(long checkpoint, int rank) {
        usable(checkpoint).ifPresent(held -> {
            held.draining.remove(rank);
            held.again.add(rank);
        });
    }

    /** This checkpoint cannot complete. */
    public void failed(long checkpoint, String reason) {
        usable(checkpoint).ifPresent(held -> spoil(held, reason));
    }

    /** A host is lost with the local copies of these ranks: what of them is not stored never will be. */
    public void lost(Collection<Integer> ranks, String reason) {
        if (inHand != null && !inHand.stored.containsAll(ranks)) {
            spoil(inHand, reason);
        }
    }

    /** All ranks go back to a complete checkpoint: what is in hand has its states from a future that never was. */
    public void goingBack() {
        if (inHand != null) {
            spoil(inHand, "the ranks went back before a coordinator completed it");
        }
    }

    /** This checkpoint is in hand and can still complete. */
    public boolean isUsable(long checkpoint) {
        return usable(checkpoint).isPresent();
    }

    /** The highest epoch seen: the fence of what is written for the checkpoint in hand. */
    public long epoch() {
        return highestEpoch;
    }

    /** The checkpoint may soon commit without the ranks: worth waiting for before going back to an older one. */
    public boolean mayStillCommit() {
        return !silent && inHand != null && inHand.failure == null && inHand.isSaved(ranks);
    }

    /** What a coordinator is told that has heard so much. */
    Answer.Status status(Heard known) {
        boolean ready = joined.size() == ranks && inHand == null && !halted;
        return inHand == null
                ? new Answer.Status(0, ready, Answer.Progress.NONE, null, TcpSegments.NONE, 0)
                : new Answer.Status(
                        inHand.number, ready, inHand.reports.after(known), inHand.failure, TcpSegments.NONE, 0);
    }

    private void settle(long latest) {
        if (inHand != null) {
            InHand ended = inHand;
            inHand = null;
            if (ended.number <= latest) {
                effects.committed(ended.number);
                if (ended.last) {
                    halted = true;
                    effects.halt(ended.number);
                }
            } else {
                effects.release(ended.number);
                effects.discard(ended.number);
            }
        }
    }

    private void prepare(long checkpoint) {
        if (inHand != null && checkpoint <= inHand.number) {
            return;
        }
        if (inHand != null) {
            effects.release(inHand.number);
            effects.discard(inHand.number);
        }
        inHand = new InHand(checkpoint, new Reports(nextLog()));
        if (joined.size() < ranks) {
            inHand.failure = "only " + joined.size() + " of " + ranks + " ranks take part";
        } else {
            effects.hold(checkpoint);
        }
    }

    private long nextLog() {
        lastLog++;
        return lastLog == Heard.NONE.log() ? nextLog() : lastLog;
    }

    private void save(Command.Save save) {
        usable(save.checkpoint()).filter(held -> !held.saving).ifPresent(held -> {
            held.saving = true;
            held.last = save.last();
            effects.save(save.checkpoint(), save.step(), save.last());
        });
    }

    private void drain(Command.Drain drain) {
        usable(drain.checkpoint()).ifPresent(held -> {
            held.again.forEach(rank -> drain(held, drain.base(), rank));
            held.again.clear();
            drain.writers().forEach(rank -> drain(held, drain.base(), rank));
        });
    }

    private void drain(InHand held, long base, int rank) {
        LocalCopy copy = held.saved.get(rank);
        if (copy != null && held.draining.add(rank)) {
            effects.drain(held.number, base, rank, copy);
        }
    }

    private void spoil(InHand spoilt, String reason) {
        if (spoilt.failure == null) {
            spoilt.failure = reason;
            effects.release(spoilt.number);
        }
    }

    private Optional<InHand> usable(long checkpoint) {
        return Optional.ofNullable(inHand).filter(held -> held.number == checkpoint && held.failure == null);
    }

    private static final class InHand {
        private final long number;
        private final Reports reports;
        private final Map<Integer, LocalCopy> saved = new HashMap<>();
        private final Set<Integer> draining = new HashSet<>();
        private final Set<Integer> again = new HashSet<>();
        private final Set<Integer> stored = new HashSet<>();
        private boolean saving;
        private boolean last;
        private @Nullable String failure;

        InHand(long number, Reports reports) {
            this.number = number;
            this.reports = reports;
        }

        boolean isSaved(int ranks) {
            return saved.size() == ranks;
        }

        boolean isWaitedFor(int ranks) {
            return last || !isSaved(ranks);
        }
    }
}
