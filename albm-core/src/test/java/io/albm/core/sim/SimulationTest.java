// SPDX-License-Identifier: Apache-2.0
package io.albm.core.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SimulationTest {
    private static final Duration MILLI = Duration.ofMillis(1);

    @Test
    void runsEventsInTheOrderOfTimeThenOfScheduling() {
        Simulation simulation = new Simulation(1);
        List<String> order = new ArrayList<>();
        simulation.schedule(MILLI.multipliedBy(2), "late", () -> order.add("late"));
        simulation.schedule(MILLI, "first", () -> order.add("first"));
        simulation.schedule(MILLI, "second", () -> order.add("second"));
        simulation.runUntilIdle();
        assertThat(order).containsExactly("first", "second", "late");
        assertThat(simulation.clock().elapsed()).isEqualTo(MILLI.multipliedBy(2));
    }

    @Test
    void repeatsItselfForTheSameSeedAndDiffersForAnother() {
        assertThat(story(7)).isEqualTo(story(7)).isNotEqualTo(story(8));
    }

    @Test
    void namesSeedAndEventsWhenAnInvariantBreaks() {
        Simulation simulation = new Simulation(42);
        List<String> seen = new ArrayList<>();
        simulation.invariant(() -> assertThat(seen).doesNotContain("bad"));
        simulation.schedule(MILLI, "good event", () -> seen.add("good"));
        simulation.schedule(MILLI, "bad event", () -> seen.add("bad"));
        assertThatThrownBy(simulation::runUntilIdle)
                .isInstanceOf(SimulationFailure.class)
                .hasMessageContaining("seed 42")
                .hasMessageContaining("\"bad event\"")
                .hasMessageContaining("good event");
    }

    @Test
    void failsWhenAnAwaitedConditionDoesNotComeInTime() {
        Simulation simulation = new Simulation(3);
        simulation.schedule(Duration.ofSeconds(9), "too late", () -> {});
        assertThatThrownBy(() -> simulation.runUntil(() -> false, Duration.ofSeconds(1), "the miracle"))
                .hasMessageContaining("the miracle did not happen");
    }

    @Test
    void faultsStopAtTheHorizon() {
        Simulation simulation = new Simulation(5);
        List<Duration> faults = new ArrayList<>();
        new FaultPlan(simulation, MILLI)
                .add(1, "one", () -> faults.add(simulation.clock().elapsed()))
                .begin(MILLI.multipliedBy(100));
        simulation.runUntilIdle();
        assertThat(faults).hasSizeGreaterThan(30).allMatch(at -> at.compareTo(MILLI.multipliedBy(100)) < 0);
    }

    @Test
    void aCrashedProcessForgetsItsPlansAndAStoppedOneRunsThemLate() {
        Simulation simulation = new Simulation(6);
        List<String> ran = new ArrayList<>();
        SimNode killed = new SimNode(simulation, "killed");
        SimNode stopped = new SimNode(simulation, "stopped");
        killed.after(MILLI, "work", () -> ran.add("killed"));
        stopped.after(MILLI, "work", () -> ran.add("stopped"));
        killed.crash();
        killed.restart();
        stopped.pause();
        simulation.runUntilIdle();
        assertThat(ran).isEmpty();
        stopped.resume();
        simulation.runUntilIdle();
        assertThat(ran).containsExactly("stopped");
    }

    @Test
    void aCutLinkLosesMessagesInFlight() {
        Simulation simulation = new Simulation(8);
        SimNetwork network = new SimNetwork(simulation, MILLI, MILLI);
        SimNode one = new SimNode(simulation, "one");
        SimNode two = new SimNode(simulation, "two");
        List<String> got = new ArrayList<>();
        network.send(one, two, "lost", () -> got.add("lost"));
        network.cut(one, two);
        simulation.runUntilIdle();
        network.heal();
        network.send(one, two, "arrives", () -> got.add("arrives"));
        simulation.runUntilIdle();
        assertThat(got).containsExactly("arrives");
    }

    private static String story(long seed) {
        Simulation simulation = new Simulation(seed);
        StringBuilder story = new StringBuilder();
        SimNetwork network = new SimNetwork(simulation, Duration.ZERO, Duration.ofMillis(10));
        SimNode one = new SimNode(simulation, "one");
        SimNode two = new SimNode(simulation, "two");
        for (int i = 0; i < 20; i++) {
            int message = i;
            network.send(
                    one,
                    two,
                    "m" + i,
                    () -> story.append(message)
                            .append('@')
                            .append(simulation.clock().nanoTime())
                            .append(' '));
        }
        simulation.runUntilIdle();
        return story.toString();
    }
}
