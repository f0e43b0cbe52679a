// SPDX-License-Identifier: Apache-2.0
package io.albm.core.sim;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A seeded plan of faults: at random times until a horizon, one of the named faults, each as likely as its weight.
 *
 * <p>Faults stop at the horizon, so that a scenario can then demand that the world comes to rest.
 */
public final class FaultPlan {
    private final Simulation simulation;
    private final Duration meanPause;
    private final List<Fault> faults = new ArrayList<>();
    private int happened;

    /** @param meanPause mean time between two faults; pauses are exponentially distributed */
    public FaultPlan(Simulation simulation, Duration meanPause) {
        this.simulation = simulation;
        this.meanPause = meanPause;
    }

    /** Adds a fault; the action may schedule its own end. */
    public FaultPlan add(int weight, String name, Runnable action) {
        faults.add(new Fault(weight, name, action));
        return this;
    }

    /** Begins; the last fault comes before {@code horizon} of virtual time from now. */
    public void begin(Duration horizon) {
        if (faults.isEmpty()) {
            throw new IllegalStateException("a plan without a fault");
        }
        next(simulation.clock().nanoTime() + horizon.toNanos());
    }

    /** Faults so far. */
    public int happened() {
        return happened;
    }

    private void next(long end) {
        double exponential = -Math.log(1 - simulation.random().nextDouble());
        Duration pause = Duration.ofNanos((long) (meanPause.toNanos() * exponential));
        if (simulation.clock().nanoTime() + pause.toNanos() >= end) {
            return;
        }
        Fault fault = pick();
        simulation.schedule(pause, "FAULT " + fault.name(), () -> {
            happened++;
            fault.action().run();
            next(end);
        });
    }

    private Fault pick() {
        int total = faults.stream().mapToInt(Fault::weight).sum();
        int at = simulation.random().nextInt(total);
        for (Fault fault : faults) {
            at -= fault.weight();
            if (at < 0) {
                return fault;
            }
        }
        throw new AssertionError("weights add up");
    }

    private record Fault(int weight, String name, Runnable action) {}
}
