// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import io.albm.core.proc.ProcFile;
import io.albm.core.proc.ProcText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Threads that are ready to run and wait for a processor, at this moment: those that {@code /proc/loadavg} counts as
 * runnable, less the one that takes the sample, less one for every processor. That is the paper's "processor queue
 * length", which leaves out the threads that run. {@code /proc/stat} has the same number at the end of a file that
 * costs the kernel a walk over all interrupts.
 */
final class RunQueue implements CounterSource {
    private static final int FIELDS_BEFORE_RUNNABLE = 3;
    private static final int SAMPLER = 1;

    private final ProcFile loadavg;
    private final int processors;

    private RunQueue(ProcFile loadavg, int processors) {
        this.loadavg = loadavg;
        this.processors = processors;
    }

    static RunQueue open(HostFiles files) throws IOException {
        Path online = files.sys().resolve("devices/system/cpu/online");
        return new RunQueue(ProcFile.open(files.proc().resolve("loadavg")), count(Files.readString(online)));
    }

    /** How many processors a list such as {@code 0-3,6} names. */
    static int count(String list) {
        int count = 0;
        for (String range : list.strip().split(",", -1)) {
            String[] ends = range.split("-", -1);
            count += Integer.parseInt(ends[ends.length - 1]) - Integer.parseInt(ends[0]) + 1;
        }
        return count;
    }

    @Override
    public double sample(long nowNanos) throws IOException {
        ProcText text = loadavg.read();
        long runnable = loadavg.require(text.numberAt(text.field(0, FIELDS_BEFORE_RUNNABLE)), "runnable threads");
        return Math.max(0, runnable - SAMPLER - processors);
    }

    @Override
    public void close() throws IOException {
        loadavg.close();
    }
}
