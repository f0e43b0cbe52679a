// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.compare;

import io.albm.bench.process.JustInTime;
import java.io.IOException;
import java.time.Duration;

/**
 * Loads a server until its JVM is warm, by what it does and not by the clock: until in two windows in a row its
 * compilers took less than {@value #MOST_COMPILING} of its CPU time and a request was not cheaper by {@value #LEAST_GAIN}
 * than in the best window before. On a busy machine compilers are starved and need far longer than on a quiet one, so a
 * fixed time would measure their queue. Windows that cost more prove nothing: the machine does that, not the compilers.
 */
final class WarmUp {
    static final Duration WINDOW = Duration.ofSeconds(2);

    private static final double MOST_COMPILING = 0.03;
    private static final double LEAST_GAIN = 0.03;
    private static final int WINDOWS_IN_A_ROW = 2;

    private int steadyWindows;
    private double leastCost = Double.POSITIVE_INFINITY;

    /** What a window of load has shown. */
    record Window(long requests, Duration cpu, Duration compilers) {
        double compilingShare() {
            return cpu.isZero() ? 0 : (double) compilers.toNanos() / cpu.toNanos();
        }

        double cost() {
            return (double) cpu.toNanos() / requests;
        }
    }

    /** A load for the time of one window. */
    @FunctionalInterface
    interface Load {
        Window run() throws IOException;
    }

    /** Loads that contender. */
    static Load of(Wrk wrk, Scenario scenario, Contender contender) {
        long pid = contender.process().pid();
        return () -> {
            Duration compilersBefore = JustInTime.cpuTime(pid);
            Duration cpuBefore = contender.process().cpuTime();
            Wrk.Seen seen = wrk.run(scenario, contender, WINDOW);
            return new Window(
                    seen.requests(),
                    contender.process().cpuTime().minus(cpuBefore),
                    JustInTime.cpuTime(pid).minus(compilersBefore));
        };
    }

    /**
     * Warms up.
     *
     * @param longest the time after which it is taken as it is
     * @return how long it took
     */
    Duration run(Load load, Duration longest) throws IOException {
        Duration took = Duration.ZERO;
        while (steadyWindows < WINDOWS_IN_A_ROW && took.compareTo(longest) < 0) {
            steadyWindows = isSteady(load.run()) ? steadyWindows + 1 : 0;
            took = took.plus(WINDOW);
        }
        return took;
    }

    private boolean isSteady(Window window) {
        boolean gained = window.cost() < leastCost * (1 - LEAST_GAIN);
        leastCost = Math.min(leastCost, window.cost());
        return !gained && window.compilingShare() < MOST_COMPILING;
    }
}
