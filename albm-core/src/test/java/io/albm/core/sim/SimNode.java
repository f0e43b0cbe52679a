// SPDX-License-Identifier: Apache-2.0
package io.albm.core.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * A process that can be killed, started again, stopped (SIGSTOP) and continued.
 *
 * <p>Work belongs to one incarnation: what a crashed process had planned never runs. What a stopped process had planned
 * waits and runs, in order, when it continues: that is how a paused JVM comes back late and must be fenced.
 */
public final class SimNode implements Executor {
    private final Simulation simulation;
    private final String name;
    private final List<Runnable> whilePaused = new ArrayList<>();
    private final List<Runnable> listeners = new ArrayList<>();
    private int incarnation = 1;
    private boolean up = true;
    private boolean paused;
    private long changes;

    /** A running process. */
    public SimNode(Simulation simulation, String name) {
        this.simulation = simulation;
        this.name = name;
    }

    public String name() {
        return name;
    }

    /** Counts starts, from 1. */
    public int incarnation() {
        return incarnation;
    }

    /** Running or stopped, not crashed. */
    public boolean isUp() {
        return up;
    }

    /** Neither crashed nor stopped. */
    public boolean isResponsive() {
        return up && !paused;
    }

    /** Runs the action in this incarnation of the process, after everything already scheduled for this instant. */
    @Override
    public void execute(Runnable action) {
        after(Duration.ZERO, "run", action);
    }

    /** Runs the action in this incarnation of the process after the delay. */
    public void after(Duration delay, Object what, Runnable action) {
        int born = incarnation;
        simulation.schedule(delay, new Step(name, what), () -> runIn(born, action));
    }

    private record Step(String name, Object what) {
        @Override
        public String toString() {
            return name + ": " + what;
        }
    }

    /** Counts crashes, starts, stops and continuations. */
    public long changes() {
        return changes;
    }

    /** Calls back after each crash, start, stop and continuation. */
    public void onChange(Runnable listener) {
        listeners.add(listener);
    }

    /** SIGKILL: nothing that was planned runs. */
    public void crash() {
        up = false;
        paused = false;
        whilePaused.clear();
        changed("crashed");
    }

    /** Starts a new incarnation of a crashed process. */
    public void restart() {
        if (up) {
            throw new IllegalStateException(name + " is up");
        }
        up = true;
        incarnation++;
        changed("started, incarnation " + incarnation);
    }

    /** SIGSTOP. */
    public void pause() {
        paused = up;
        changed("stopped");
    }

    /** SIGCONT: what was due meanwhile runs now, in order. */
    public void resume() {
        paused = false;
        changed("continued");
        List<Runnable> due = List.copyOf(whilePaused);
        whilePaused.clear();
        due.forEach(this::execute);
    }

    private void changed(String what) {
        changes++;
        simulation.note(name + " " + what);
        List.copyOf(listeners).forEach(Runnable::run); // some listen to more then
    }

    private void runIn(int born, Runnable action) {
        if (!up || incarnation != born) {
            return;
        }
        if (paused) {
            whilePaused.add(action);
        } else {
            action.run();
        }
    }
}
