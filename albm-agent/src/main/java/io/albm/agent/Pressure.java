// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import io.albm.core.proc.Rate;
import io.albm.core.proc.StallText;
import java.io.IOException;

/**
 * Pressure stall information: the share of time since the last sample in which some task waited for a resource. It is
 * the growth of {@code total}, not {@code avg10}, which still shows ten seconds later what is over. Absent on kernels
 * that do not keep it.
 */
final class Pressure implements CounterSource {
    private static final double MICROS_PER_SECOND = 1e6;

    private final SampledFile file;
    private final Rate stalled = new Rate();

    private Pressure(SampledFile file) {
        this.file = file;
    }

    static CounterSource open(KernelFiles files, String resource) throws IOException {
        String name = "pressure/" + resource;
        return files.canRead(name) ? new Pressure(files.proc(name)) : NONE;
    }

    @Override
    public double sample(long nowNanos) throws IOException {
        long micros = file.require(StallText.someMicros(file.at(nowNanos)), "some total");
        return Math.min(1, stalled.update(nowNanos, micros) / MICROS_PER_SECOND);
    }
}
