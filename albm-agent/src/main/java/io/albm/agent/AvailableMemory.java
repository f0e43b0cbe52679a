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
    private final @Nullable CounterSource headroom;

    private AvailableMemory(SampledFile meminfo, @Nullable CounterSource headroom) {
        this.meminfo = meminfo;
        this.headroom = headroom;
    }

    static AvailableMemory open(KernelFiles files) throws IOException {
        Path directory = group(files.host());
        return new AvailableMemory(files.proc("meminfo"), directory == null ? null : headroom(files, directory));
    }

    private static @Nullable Path group(HostFiles host) {
        return host.container().flatMap(ContainerGroups::memory).orElse(null);
    }

    private static CounterSource headroom(KernelFiles files, Path directory) throws IOException {
        return files.keep(ContainerSource.open(() -> MemoryGroup.open(directory), group -> _ -> group.headroomBytes()));
    }

    /** All the memory that there is: the host's, or the container's limit if that is less. */
    static long totalBytes(HostFiles host) throws IOException {
        try (KernelFiles files = new KernelFiles(host)) {
            SampledFile meminfo = files.proc("meminfo");
            long total = KIB * meminfo.require(meminfo.now().numberAfter(MEM_TOTAL), "MemTotal");
            Path directory = group(host);
            return directory == null
                    ? total
                    : Math.min(total, files.keep(MemoryGroup.open(directory)).limitBytes());
        }
    }

    @Override
    public double sample(long nowNanos) throws IOException {
        double host = KIB * meminfo.require(meminfo.at(nowNanos).numberAfter(MEM_AVAILABLE), "MemAvailable");
        return headroom == null ? host : Math.min(host, headroom.sample(nowNanos));
    }
}
