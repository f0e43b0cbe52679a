// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import io.albm.core.cgroup.CpuGroup;
import io.albm.core.cgroup.CpuLevel;
import io.albm.core.proc.Rate;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/**
 * The used share of a container's CPU limit since the last sample; of the tightest limit, if its ancestors have some
 * too. 0 without a limit. A container that is held to half a processor is at its end while its host looks idle.
 */
final class ContainerCpuBusy implements CounterSource {
    private static final double NANOS_PER_SECOND = 1e9;

    private final List<CpuLevel> levels;
    private final Rate[] used;

    ContainerCpuBusy(CpuGroup group) {
        this.levels = group.levels();
        this.used = Stream.generate(Rate::new).limit(levels.size()).toArray(Rate[]::new);
    }

    @Override
    public double sample(long nowNanos) throws IOException {
        double busiest = 0;
        // By index: an iterator would be the only object of a sample.
        for (int i = 0; i < used.length; i++) {
            CpuLevel level = levels.get(i);
            double processors = used[i].update(nowNanos, level.usageNanos()) / NANOS_PER_SECOND;
            busiest = Math.max(busiest, processors / level.limit());
        }
        return Math.min(1, busiest);
    }
}
