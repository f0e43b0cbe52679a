// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.load;

import com.sun.management.OperatingSystemMXBean;
import io.albm.core.cgroup.CgroupLayout;
import io.albm.core.cgroup.MemoryGroup;
import io.albm.core.proc.ProcFile;
import io.albm.core.proc.ProcText;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How much of CPU and memory is in use where this process runs, its container's limits included; NaN for what cannot be
 * read. For one thread.
 */
public final class HostLoad implements AutoCloseable {
    private static final byte[] MEM_TOTAL = ProcText.label("MemTotal:");
    private static final byte[] MEM_AVAILABLE = ProcText.label("MemAvailable:");

    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private final @Nullable ProcFile meminfo;
    private final @Nullable MemoryGroup group;

    private HostLoad(@Nullable ProcFile meminfo, @Nullable MemoryGroup group) {
        this.meminfo = meminfo;
        this.group = group;
    }

    /** Opens what there is. */
    public static HostLoad open() {
        return new HostLoad(openMeminfo(), openGroup());
    }

    private static @Nullable ProcFile openMeminfo() {
        try {
            return ProcFile.open(Path.of("/proc/meminfo"));
        } catch (IOException e) {
            return null;
        }
    }

    private static @Nullable MemoryGroup openGroup() {
        try {
            Optional<Path> directory = CgroupLayout.ofThisMachine()
                    .groupsOf(ProcessHandle.current().pid())
                    .memory();
            return directory.isPresent() ? MemoryGroup.open(directory.get()) : null;
        } catch (IOException e) {
            return null;
        }
    }

    /** The busy share of the processors that this process may use. */
    public double cpu() {
        double load = system.getCpuLoad();
        return load < 0 ? Double.NaN : load;
    }

    /** The share of memory that cannot be had any more: of the host or, if that is higher, of the container's limit. */
    public double memory() {
        try {
            double host = hostMemory();
            double container = containerMemory();
            return Double.isNaN(host) || container > host ? container : host;
        } catch (IOException e) {
            return Double.NaN;
        }
    }

    private double hostMemory() throws IOException {
        if (meminfo == null) {
            return Double.NaN;
        }
        ProcText text = meminfo.read();
        double total = text.numberAfter(MEM_TOTAL);
        double available = text.numberAfter(MEM_AVAILABLE);
        return total > 0 && available >= 0 ? Math.clamp(1 - available / total, 0.0, 1.0) : Double.NaN;
    }

    private double containerMemory() throws IOException {
        long limit = group == null ? MemoryGroup.UNLIMITED : group.limitBytes();
        return group == null || limit == MemoryGroup.UNLIMITED
                ? Double.NaN
                : Math.clamp(1 - (double) group.headroomBytes() / limit, 0.0, 1.0);
    }

    @Override
    public void close() throws IOException {
        if (meminfo != null) {
            meminfo.close();
        }
        if (group != null) {
            group.close();
        }
    }
}
