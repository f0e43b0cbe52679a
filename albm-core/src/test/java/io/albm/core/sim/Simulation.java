// SPDX-License-Identifier: Apache-2.0
package io.albm.core.sim;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;

/**
 * A deterministic world: one queue of events in virtual time, one source of randomness, invariants that are checked
 * after every event.
 *
 * <p>Everything that happens is an event that some part of the world scheduled; events of the same instant run in the
 * order in which they were scheduled. The same seed and the same scenario therefore give the same run, event by event,
 * and a {@link SimulationFailure} names the seed. An idea of FoundationDB's and TigerBeetle's simulators.
 *
 * <p>Not thread-safe: whoever turns it is the only thread in its world.
 */
public final class Simulation {
    private static final int TRACE_LENGTH = 40;

    /** A scenario that needs more events than this is in a livelock. */
    private static final long MAX_EVENTS = 5_000_000;

    private final long seed;
    private final SplittableRandom random;
    private final SimClock clock = new SimClock();
    private final PriorityQueue<Event> queue = new PriorityQueue<>();
    private final List<Runnable> invariants = new ArrayList<>();
    private final Deque<Noted> trace = new ArrayDeque<>(TRACE_LENGTH);
    private long scheduled;
    private long executed;

    /** @param seed decides everything that is random in this world */
    public Simulation(long seed) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
    }

    /** The seed that replays this run. */
    public long seed() {
        return seed;
    }

    /** Virtual time. */
    public SimClock clock() {
        return clock;
    }

    /** The only source of randomness in this world. */
    public SplittableRandom random() {
        return random;
    }

    /** Events run so far. */
    public long executed() {
        return executed;
    }

    /** True with the given probability in [0, 1]. */
    public boolean chance(double probability) {
        return random.nextDouble() < probability;
    }

    /** A uniformly random duration in [least, most]. */
    public Duration between(Duration least, Duration most) {
        return Duration.ofNanos(random.nextLong(least.toNanos(), most.toNanos() + 1));
    }

    /**
     * Runs the action after the delay; zero means after everything already scheduled for this instant.
     *
     * @param what its text names the event in the trace of a failure; nobody asks for it before
     */
    public void schedule(Duration delay, Object what, Runnable action) {
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay " + delay + " of \"" + what + "\" is in the past");
        }
        queue.add(new Event(clock.nanoTime() + delay.toNanos(), scheduled++, what, action));
    }

    /** Adds a check that throws an {@link AssertionError} when the world is wrong; it runs after every event. */
    public void invariant(Runnable check) {
        invariants.add(check);
    }

    /** Adds a line to the trace that a failure prints, with the text that {@code what} has by then. */
    public void note(Object what) {
        if (trace.size() == TRACE_LENGTH) {
            trace.removeFirst();
        }
        trace.addLast(new Noted(clock.elapsed(), what));
    }

    /** Runs the next event; false if there is none. */
    public boolean step() {
        Event event = queue.poll();
        if (event == null) {
            return false;
        }
        if (++executed > MAX_EVENTS) {
            throw failure(event, new AssertionError("no end after " + MAX_EVENTS + " events: a livelock"));
        }
        clock.moveTo(event.at());
        note(event.what());
        try {
            event.action().run();
            invariants.forEach(Runnable::run);
        } catch (RuntimeException | AssertionError e) {
            throw failure(event, e);
        }
        return true;
    }

    /** Runs events until none is left. */
    public void runUntilIdle() {
        while (step()) {
            // the work is in step
        }
    }

    /** Runs the events of the next {@code duration} of virtual time, then moves the clock to its end. */
    public void runFor(Duration duration) {
        long end = clock.nanoTime() + duration.toNanos();
        while (!queue.isEmpty() && queue.element().at() <= end) {
            step();
        }
        clock.moveTo(end);
    }

    /**
     * Runs events until the condition holds; fails if it does not within {@code bound} of virtual time.
     *
     * @param what its text says what was awaited, as far as it has not happened
     */
    public void runUntil(BooleanSupplier condition, Duration bound, Object what) {
        long end = clock.nanoTime() + bound.toNanos();
        while (!condition.getAsBoolean()) {
            if (queue.isEmpty() || queue.element().at() > end) {
                Event never = new Event(clock.nanoTime(), scheduled, "waiting for " + what, () -> {});
                throw failure(never, new AssertionError(what + " did not happen within " + bound));
            }
            step();
        }
    }

    private SimulationFailure failure(Event event, Throwable cause) {
        List<String> lines = trace.stream().map(Noted::toString).toList();
        return new SimulationFailure(seed, clock, event.what().toString(), lines, cause);
    }

    private record Event(long at, long sequence, Object what, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(sequence, other.sequence);
        }
    }

    /** Texts cost more than events: they are made when somebody reads them. */
    private record Noted(Duration at, Object what) {
        @Override
        public String toString() {
            return at + " " + what;
        }
    }
}
