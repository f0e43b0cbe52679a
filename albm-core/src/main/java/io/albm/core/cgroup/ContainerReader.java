// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cgroup;

import static io.albm.core.proc.ProcText.label;

import io.albm.core.proc.ProcFile;
import io.albm.core.proc.ProcText;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the counters of one container, whatever the layout. The memory group must exist; CPU time and pressure are
 * optional, because v1 may leave accounting off and has no pressure. Not thread-safe.
 */
public final class ContainerReader implements Closeable {
    private static final byte[] USAGE_USEC = label("usage_usec ");
    private static final byte[] SOME = label("some avg10=");

    private final MemoryGroup memory;
    private final @Nullable ProcFile cpuacctUsage;
    private final @Nullable ProcFile cpuStat;
    private final @Nullable ProcFile pressure;

    private ContainerReader(MemoryGroup memory, ContainerGroups groups) throws IOException {
        this.memory = memory;
        this.cpuacctUsage = openIfPresent(groups.cpu(), "cpuacct.usage");
        this.cpuStat = openIfPresent(groups.cpu(), "cpu.stat");
        this.pressure = openIfPresent(groups.unified(), "memory.pressure");
    }

    /** Opens the counters of {@code groups}; fails if its memory is not accounted. */
    public static ContainerReader open(ContainerGroups groups) throws IOException {
        Path directory = groups.memory()
                .orElseThrow(() -> new IOException("no memory control group is mounted for this container"));
        return new ContainerReader(MemoryGroup.open(directory), groups);
    }

    private static @Nullable ProcFile openIfPresent(Optional<Path> directory, String name) throws IOException {
        Path file = directory.map(path -> path.resolve(name)).orElse(null);
        return file != null && Files.isReadable(file) ? ProcFile.open(file) : null;
    }

    /** The counters now. */
    public ContainerCounters read() throws IOException {
        return new ContainerCounters(
                memory.usageBytes(),
                memory.limitBytes(),
                memory.workingSetBytes(),
                memory.majorFaults(),
                memory.fileRefaults(),
                cpuNanos(),
                memoryPressure());
    }

    private long cpuNanos() throws IOException {
        if (cpuacctUsage != null) {
            return Math.max(0, cpuacctUsage.read().numberAt(0));
        }
        return cpuStat == null ? 0 : Math.max(0, cpuStat.read().numberAfter(USAGE_USEC) * 1000);
    }

    private double memoryPressure() throws IOException {
        return pressure == null ? Double.NaN : percentAfter(pressure.read(), SOME) / 100;
    }

    /** A number with two decimals, as the pressure files print it. */
    private static double percentAfter(ProcText text, byte[] label) {
        int whole = text.afterLabel(label, 0);
        int point = text.find('.', whole);
        return point < 0 ? Double.NaN : text.numberAt(whole) + text.numberAt(point + 1) / 100.0;
    }

    @Override
    public void close() throws IOException {
        memory.close();
        for (ProcFile file : new @Nullable ProcFile[] {cpuacctUsage, cpuStat, pressure}) {
            if (file != null) {
                file.close();
            }
        }
    }
}
