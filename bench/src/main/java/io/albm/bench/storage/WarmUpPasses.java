// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import io.albm.bench.process.ChildProcess;
import io.albm.bench.process.JustInTime;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * Repeats on a smaller file what is measured afterwards, until no JVM that takes part compiles any more: over
 * {@value #TOGETHER} passes their compilers have used less than a twentieth of the time, or {@value #MOST_SECONDS} s are over.
 * What is measured are programs that have been at work for a while.
 */
final class WarmUpPasses {
    private static final int TOGETHER = 8;
    private static final int SHARE = 20;
    private static final int MOST_SECONDS = 60;

    private WarmUpPasses() {}

    /** One pass. */
    @FunctionalInterface
    interface Pass {
        Tally run() throws IOException;
    }

    static void run(List<ChildProcess> machines, Pass pass) throws IOException {
        long end = System.nanoTime() + Duration.ofSeconds(MOST_SECONDS).toNanos();
        long start;
        Duration before;
        do {
            start = System.nanoTime();
            before = compiled(machines);
            for (int i = 0; i < TOGETHER; i++) {
                pass.run();
            }
        } while (System.nanoTime() < end
                && compiled(machines).minus(before).toNanos() * SHARE > System.nanoTime() - start);
    }

    private static Duration compiled(List<ChildProcess> machines) throws IOException {
        Duration sum = Duration.ZERO;
        for (ChildProcess machine : machines) {
            sum = sum.plus(JustInTime.cpuTime(machine.pid()));
        }
        return sum;
    }
}
