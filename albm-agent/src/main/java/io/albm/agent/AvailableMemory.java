// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import static io.albm.core.proc.ProcText.label;

import io.albm.core.cgroup.MemoryGroup;
import io.albm.core.proc.ProcFile;
import java.io.IOException;
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

    private final ProcFile meminfo;
    private final @Nullable MemoryGroup group;

    private AvailableMemory(ProcFile meminfo, @Nullable MemoryGroup group) {
        this.meminfo = meminfo;
        this.group = group;
    }

    static AvailableMemory open(HostFiles files) throws IOException {
        MemoryGroup group = files.memoryGroup().isPresent()
                ? MemoryGroup.open(files.memoryGroup().get())
                : null;
        return new AvailableMemory(ProcFile.open(files.proc().resolve("meminfo")), group);
    }

    /** All the memory that there is: the host's, or the container's limit if that is less. */
    static long totalBytes(HostFiles files) throws IOException {
        try (AvailableMemory memory = open(files)) {
            ProcFile meminfo = memory.meminfo;
            long host = KIB * meminfo.require(meminfo.read().numberAfter(MEM_TOTAL), "MemTotal");
            return memory.group == null ? host : Math.min(host, memory.group.limitBytes());
        }
    }

    @Override
    public double sample(long nowNanos) throws IOException {
        long host = KIB * meminfo.require(meminfo.read().numberAfter(MEM_AVAILABLE), "MemAvailable");
        return group == null ? host : Math.min(host, group.headroomBytes());
    }

    @Override
    public void close() throws IOException {
        meminfo.close();
        if (group != null) {
            group.close();
        }
    }
}
