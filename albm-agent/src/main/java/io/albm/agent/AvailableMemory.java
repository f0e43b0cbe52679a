// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import static io.albm.core.proc.ProcText.label;

import io.albm.core.cgroup.ContainerGroups;
import io.albm.core.cgroup.MemoryGroup;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * {@code MemAvailable}: the kernel's own estimate of what a new program can have before the machine swaps. Free memory
 * would be wrong, because Linux fills it with page cache that it gives back on demand. A container may reach its own
 * limit long before the host is short, so its headroom counts too.
 */
final class AvailableMemory implements CounterSource {
    private static final byte[] MEM_TOTAL = label("MemTotal:");
    private static final byte[] MEM_AVAILABLE = label("MemAvailable:");
    private static final long KIB = 1024;

    private final SampledFile meminfo;
    private final @Nullable MemoryGroup group;

    private AvailableMemory(SampledFile meminfo, @Nullable MemoryGroup group) {
        this.meminfo = meminfo;
        this.group = group;
    }

    static AvailableMemory open(KernelFiles files) throws IOException {
        Path directory =
                files.host().container().flatMap(ContainerGroups::memory).orElse(null);
        return new AvailableMemory(
                files.proc("meminfo"), directory == null ? null : files.keep(MemoryGroup.open(directory)));
    }

    /** All the memory that there is: the host's, or the container's limit if that is less. */
    static long totalBytes(HostFiles host) throws IOException {
        try (KernelFiles files = new KernelFiles(host)) {
            AvailableMemory memory = open(files);
            SampledFile meminfo = memory.meminfo;
            long total = KIB * meminfo.require(meminfo.now().numberAfter(MEM_TOTAL), "MemTotal");
            return memory.group == null ? total : Math.min(total, memory.group.limitBytes());
        }
    }

    @Override
    public double sample(long nowNanos) throws IOException {
        long host = KIB * meminfo.require(meminfo.at(nowNanos).numberAfter(MEM_AVAILABLE), "MemAvailable");
        return group == null ? host : Math.min(host, group.headroomBytes());
    }
}
