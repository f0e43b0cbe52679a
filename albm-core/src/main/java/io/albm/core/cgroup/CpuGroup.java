// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cgroup;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The CPU limits that hold for one container: its own and those of its ancestors, which each hold for the sum of what
 * is below them. Not thread-safe.
 */
public final class CpuGroup implements Closeable {
    private final List<CpuLevel> levels;

    private CpuGroup(List<CpuLevel> levels) {
        this.levels = List.copyOf(levels);
    }

    /** Opens every limit that can hold for {@code groups}; none where the CPU controller is not there. */
    public static CpuGroup open(ContainerGroups groups) throws IOException {
        List<CpuLevel> levels = new ArrayList<>();
        Path quota = groups.quota().orElse(null);
        Path accounting = groups.cpu().orElse(null);
        while (quota != null && accounting != null && CpuLevel.isAt(quota, accounting)) {
            levels.add(CpuLevel.open(quota, accounting));
            quota = quota.getParent();
            accounting = accounting.getParent();
        }
        return new CpuGroup(levels);
    }

    /** The container's own first, then its ancestors'. */
    public List<CpuLevel> levels() {
        return levels;
    }

    /** Processors that the container can use at once at most, or {@link CpuLevel#UNLIMITED}. */
    public double limit() throws IOException {
        double tightest = CpuLevel.UNLIMITED;
        for (CpuLevel level : levels) {
            tightest = Math.min(tightest, level.limit());
        }
        return tightest;
    }

    @Override
    public void close() throws IOException {
        for (CpuLevel level : levels) {
            level.close();
        }
    }
}
