// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.proxy;

import io.albm.bench.process.JustInTime;
import java.io.IOException;
import java.time.Duration;

/**
 * Loads a distributor until its JVM is warm: until its compilers took less than {@value #MOST_COMPILING} of its CPU time
 * in three windows in a row. On a busy machine they are starved and need far longer than on a quiet one, so a fixed time
 * would measure the compilers' queue.
 */
final class WarmUp {
    private static final double MOST_COMPILING = 0.03;
    private static final int WINDOWS_IN_A_ROW = 3;
    private static final Duration WINDOW = Duration.ofSeconds(2);

    private final Wrk wrk;
    private final Scenario scenario;
    private final Contender contender;

    WarmUp(Wrk wrk, Scenario scenario, Contender contender) {
        this.wrk = wrk;
        this.scenario = scenario;
        this.contender = contender;
    }

    /**
     * Warms it up.
     *
     * @param longest the time after which it is taken as it is
     * @return how long it took
     */
    Duration run(Duration longest) throws IOException {
        Duration took = Duration.ZERO;
        int quiet = 0;
        while (quiet < WINDOWS_IN_A_ROW && took.compareTo(longest) < 0) {
            quiet = compilingShare() < MOST_COMPILING ? quiet + 1 : 0;
            took = took.plus(WINDOW);
        }
        return took;
    }

    private double compilingShare() throws IOException {
        long pid = contender.process().pid();
        Duration compilersBefore = JustInTime.cpuTime(pid);
        Duration allBefore = contender.process().cpuTime();
        wrk.run(scenario, contender, WINDOW);
        Duration compilers = JustInTime.cpuTime(pid).minus(compilersBefore);
        Duration all = contender.process().cpuTime().minus(allBefore);
        return all.isZero() ? 0 : (double) compilers.toNanos() / all.toNanos();
    }
}
