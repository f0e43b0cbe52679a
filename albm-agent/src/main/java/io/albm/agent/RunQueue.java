// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import io.albm.core.proc.ProcText;
import java.io.IOException;

/**
 * Threads that are ready to run and wait for a processor, at this moment: those that {@code /proc/loadavg} counts as
 * runnable, less the one that takes the sample, less one for every processor. That is the paper's "processor queue
 * length", which leaves out the threads that run. {@code /proc/stat} has the same number at the end of a file that
 * costs the kernel a walk over all interrupts.
 */
final class RunQueue implements CounterSource {
    private static final int FIELDS_BEFORE_RUNNABLE = 3;
    private static final int SAMPLER = 1;

    private final SampledFile loadavg;
    private final int processors;

    private RunQueue(SampledFile loadavg, int processors) {
        this.loadavg = loadavg;
        this.processors = processors;
    }

    static RunQueue open(KernelFiles files) throws IOException {
        return new RunQueue(files.proc("loadavg"), Processors.online(files.host()));
    }

    @Override
    public double sample(long nowNanos) throws IOException {
        ProcText text = loadavg.at(nowNanos);
        long runnable = loadavg.require(text.numberAt(text.field(0, FIELDS_BEFORE_RUNNABLE)), "runnable threads");
        return Math.max(0, runnable - SAMPLER - processors);
    }
}
