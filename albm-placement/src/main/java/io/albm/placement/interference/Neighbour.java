// SPDX-License-Identifier: Apache-2.0
package io.albm.placement.interference;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;

/**
 * The stress process with its orders worked out for this node.
 *
 * <p>The CPU stress takes as many processors' time as the overflowing memory stress took in its last window.
 */
final class Neighbour {
    private final Worker process;
    private final int threads;
    private final long fittingBytes;
    private final long overflowingBytes;
    private double overflowProcessors;

    Neighbour(Worker process, int threads, long fittingBytes, long overflowingBytes) {
        this.process = process;
        this.threads = threads;
        this.fittingBytes = fittingBytes;
        this.overflowingBytes = overflowingBytes;
    }

    /** Returns when the disturbance is in effect. */
    void begin(Disturbance disturbance) throws IOException {
        process.ask(
                switch (disturbance) {
                    case FITS -> "memory " + fittingBytes + " " + threads;
                    case OVERFLOWS -> "memory " + overflowingBytes + " " + threads;
                    case CPU -> String.format(Locale.ROOT, "cpu %.4f %d", overflowProcessors, threads);
                });
    }

    /** Returns when everything is given back. */
    void rest() throws IOException {
        process.ask("idle");
    }

    /** Keeps what the last overflow took, for the CPU stress. */
    void overflowTook(double processors) {
        overflowProcessors = processors;
    }

    Duration cpuTime() {
        return process.cpuTime();
    }
}
