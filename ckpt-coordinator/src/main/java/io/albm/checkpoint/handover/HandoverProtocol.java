// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.handover;

import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * What to do with the states that one rank hands over, without I/O.
 *
 * <p><b>The common step.</b> A participant waits at safe points; a program that hands over cannot be told to wait, and need
 * not. Asked which step it has begun, the rank says the newest handed-over one less one. The coordinator wants the highest
 * begun plus one, so that is the newest state of the rank that is farthest, and the others hand over that very step on
 * their way. So no state older than the newest at the time of that answer can be wanted: while nothing is asked, one
 * state is kept.
 *
 * <p><b>Taking part.</b> A rank takes part while it has a state that is in no complete checkpoint yet. Otherwise checkpoints
 * would repeat the last one, and retention would count them. A rank that can be asked for a state, by a command or
 * because it looks at the endpoint, takes part all the time.
 *
 * <p>Not thread-safe.
 */
final class HandoverProtocol {
    /** States that are kept between the answer and the choice of the common step, which takes one round of messages. */
    static final int MOST_KEPT = 16;

    private static final long NONE = -1;

    /** What happens outside; it must not call back before it returns. */
    interface Effects {
        /** The rank takes part in checkpoints, if this returns true, until {@link HandoverProtocol#disconnected}. */
        boolean join();

        /** It does not for now. */
        void leave();

        /** The answer to a hold. */
        void at(long checkpoint, long begun);

        /** Saves a kept state to a file, then {@link HandoverProtocol#saved} or {@link HandoverProtocol#failed}. */
        void save(long checkpoint, long step, String file);

        /** The checkpoint cannot complete. */
        void fail(long checkpoint, String reason);

        /** Makes the program hand a state over now. */
        void request(long checkpoint);

        /** What was requested for this checkpoint is of no use any more. */
        void cancelRequest();

        /** A kept state is of no more use. */
        void drop(long step);

        /** The program is to end. */
        void end();

        /** Something that the user should know. */
        void note(String text);
    }

    /** What the supervisor wants of this rank now. */
    private sealed interface Wanted {
        record Nothing() implements Wanted {}

        /** The newest state, as soon as there is one above the floor. */
        record Hold(long checkpoint, long floor) implements Wanted {}

        /** The common step is being chosen; it is at least {@code from}. */
        record Answered(long checkpoint, long from) implements Wanted {}

        /** The state of this step, handed over already or not. */
        record Save(long checkpoint, long step, String file, boolean last) implements Wanted {}

        /** It is being saved. */
        record Saving(long checkpoint, long step, boolean last) implements Wanted {}

        /** Its fate is open. */
        record Saved(long checkpoint, long step, boolean last) implements Wanted {}
    }

    private final Effects effects;
    private final boolean requests;
    private final NavigableSet<Long> kept = new TreeSet<>();
    private Wanted wanted = new Wanted.Nothing();
    private long newest = NONE;
    private long complete;
    private long droppedUpTo = NONE;
    private boolean asked;
    private boolean joined;
    private boolean ending;

    /**
     * @param restored the step that the rank goes on from; −1 at the beginning
     * @param requests there is a command that makes the program hand over
     */
    HandoverProtocol(long restored, boolean requests, Effects effects) {
        this.complete = restored;
        this.requests = requests;
        this.effects = effects;
    }

    /** The rank runs, or it is time to replace a connection that was lost. */
    void begin() {
        if (requests) {
            join();
        }
    }

    /** Whether a state of this step can be taken: steps rise. */
    boolean accepts(long step) {
        return step > Math.max(newest, complete);
    }

    /** A whole state of a step that is {@link #accepts accepted} is in this rank's keeping. */
    void taken(long step) {
        kept.add(step);
        newest = step;
        join();
        switch (wanted) {
            case Wanted.Hold hold when step > hold.floor() -> answer(hold.checkpoint());
            case Wanted.Save save -> saveIfThere(save);
            default -> {}
        }
        trim();
    }

    /** The program looks whether a state is wanted: from now on it can be asked for one at any time. */
    void asks() {
        asked = true;
        join();
    }

    /** The connection was lost or never came about; the next state brings a new one, or {@link #begin} where states are asked for. */
    void disconnected() {
        joined = false;
        wanted = new Wanted.Nothing();
        effects.cancelRequest();
        trim();
    }

    void hold(long checkpoint) {
        long floor = requests ? Math.max(newest, complete) : complete;
        wanted = new Wanted.Hold(checkpoint, floor);
        droppedUpTo = NONE;
        if (requests) {
            effects.request(checkpoint);
        } else if (newest > floor) {
            answer(checkpoint);
        }
        trim();
    }

    private void answer(long checkpoint) {
        wanted = new Wanted.Answered(checkpoint, newest);
        effects.at(checkpoint, newest - 1);
    }

    void save(long checkpoint, long step, String file, boolean last) {
        Wanted.Save save = new Wanted.Save(checkpoint, step, file, last);
        wanted = save;
        saveIfThere(save);
        trim();
    }

    private void saveIfThere(Wanted.Save save) {
        if (kept.contains(save.step())) {
            wanted = new Wanted.Saving(save.checkpoint(), save.step(), save.last());
            effects.save(save.checkpoint(), save.step(), save.file());
        } else if (newest > save.step()) {
            wanted = new Wanted.Nothing();
            effects.fail(save.checkpoint(), missing(save.step()));
        }
    }

    private String missing(long step) {
        return step <= droppedUpTo
                ? "step " + step + " is not kept any more: " + MOST_KEPT
                        + " newer ones came before all ranks had answered"
                : "step " + step + " is wanted, which another rank handed over; this one never did, and is at " + newest
                        + ": all ranks must hand over the same steps";
    }

    /** The state is saved. */
    void saved(long checkpoint) {
        if (wanted instanceof Wanted.Saving saving && saving.checkpoint() == checkpoint) {
            wanted = new Wanted.Saved(checkpoint, saving.step(), saving.last());
        }
        trim();
    }

    /** What was asked of this rank for a checkpoint cannot be done. */
    void failed(long checkpoint, String reason) {
        if (checkpointInHand() == checkpoint) {
            wanted = new Wanted.Nothing();
            effects.fail(checkpoint, reason);
            trim();
        }
    }

    void release(long checkpoint) {
        if (wanted instanceof Wanted.Save waiting) {
            effects.note("checkpoint " + checkpoint + " was given up while it waited for step " + waiting.step()
                    + " of this rank, whose newest is " + (newest == NONE ? "none" : newest));
        } else if (wanted instanceof Wanted.Hold) {
            effects.note("checkpoint " + checkpoint + " was given up while it waited for a state of this rank");
        }
        wanted = new Wanted.Nothing();
        effects.cancelRequest();
        trim();
    }

    void durable(long checkpoint) {
        if (wanted instanceof Wanted.Saved saved && saved.checkpoint() == checkpoint) {
            wanted = new Wanted.Nothing();
            complete = saved.step();
            if (!saved.last() && !requests && !asked && newest <= complete) {
                joined = false;
                effects.leave();
            }
            trim();
        }
    }

    void exit() {
        ending = true;
        effects.end();
    }

    /** The job is halted; the program is to end. */
    boolean isEnding() {
        return ending;
    }

    /** A state is wanted that is not handed over yet. */
    boolean isWanted() {
        return wanted instanceof Wanted.Hold || wanted instanceof Wanted.Save;
    }

    /** The step of which one is wanted; empty if any new one will do, or none is wanted. */
    OptionalLong wantedStep() {
        return wanted instanceof Wanted.Save save ? OptionalLong.of(save.step()) : OptionalLong.empty();
    }

    /** The newest step handed over by this process; −1 for none. */
    long newest() {
        return newest;
    }

    private void join() {
        if (!joined) {
            joined = effects.join();
        }
    }

    private long checkpointInHand() {
        return switch (wanted) {
            case Wanted.Nothing nothing -> NONE;
            case Wanted.Hold hold -> hold.checkpoint();
            case Wanted.Answered answered -> answered.checkpoint();
            case Wanted.Save save -> save.checkpoint();
            case Wanted.Saving saving -> saving.checkpoint();
            case Wanted.Saved saved -> saved.checkpoint();
        };
    }

    private void trim() {
        for (long step : kept.toArray(Long[]::new)) {
            if (step < newest && !isNeeded(step)) {
                drop(step);
            }
        }
        while (kept.size() > MOST_KEPT) {
            droppedUpTo = kept.first();
            drop(droppedUpTo);
        }
    }

    private void drop(long step) {
        kept.remove(step);
        effects.drop(step);
    }

    private boolean isNeeded(long step) {
        return switch (wanted) {
            case Wanted.Answered answered -> step >= answered.from();
            case Wanted.Save save -> step == save.step();
            case Wanted.Saving saving -> step == saving.step();
            case Wanted.Nothing nothing -> false;
            case Wanted.Hold hold -> false;
            case Wanted.Saved saved -> false;
        };
    }
}
