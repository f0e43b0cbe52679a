// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cgroup;

import static io.albm.core.proc.ProcText.ABSENT;

import io.albm.core.proc.ProcFile;
import io.albm.core.proc.ProcText;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** One memory control group by itself, without its ancestors. Not thread-safe. */
final class MemoryLevel implements Closeable {
    /** v1 writes "no limit" as the largest multiple of a page; nothing real comes near. */
    private static final long NO_REAL_LIMIT = 1L << 60;

    private final MemoryFiles names;
    private final ProcFile usage;
    private final ProcFile stat;
    private final List<ProcFile> limits;

    private MemoryLevel(MemoryFiles names, ProcFile usage, ProcFile stat, List<ProcFile> limits) {
        this.names = names;
        this.usage = usage;
        this.stat = stat;
        this.limits = limits;
    }

    static MemoryLevel open(MemoryFiles names, Path directory) throws IOException {
        List<ProcFile> limits = new ArrayList<>();
        for (String limit : names.limits()) {
            if (Files.exists(directory.resolve(limit))) {
                limits.add(ProcFile.open(directory.resolve(limit)));
            }
        }
        return new MemoryLevel(
                names,
                ProcFile.open(directory.resolve(names.usage())),
                ProcFile.open(directory.resolve("memory.stat")),
                limits);
    }

    long usageBytes() throws IOException {
        return usage.require(usage.read().numberAt(0), "number");
    }

    long limitBytes() throws IOException {
        long tightest = MemoryGroup.UNLIMITED;
        for (int i = 0; i < limits.size(); i++) {
            tightest = Math.min(tightest, limit(limits.get(i).read()));
        }
        return tightest;
    }

    private static long limit(ProcText text) {
        long number = text.numberAt(0);
        return number == ABSENT || number >= NO_REAL_LIMIT ? MemoryGroup.UNLIMITED : number;
    }

    long workingSetBytes() throws IOException {
        long inactive = stat.require(stat.read().numberAfter(names.inactiveFile()), "inactive_file");
        return Math.max(0, usageBytes() - inactive);
    }

    long headroomBytes() throws IOException {
        long limit = limitBytes();
        return limit == MemoryGroup.UNLIMITED ? limit : Math.clamp(limit - usageBytes() + fileBytes(), 0, limit);
    }

    private long fileBytes() throws IOException {
        ProcText text = stat.read();
        return stat.require(text.numberAfter(names.inactiveFile()), "inactive_file")
                + stat.require(text.numberAfter(names.activeFile()), "active_file");
    }

    long majorFaults() throws IOException {
        return stat.require(stat.read().numberAfter(names.majorFaults()), "pgmajfault");
    }

    long fileRefaults() throws IOException {
        return Math.max(0, stat.read().numberAfter(names.fileRefaults()));
    }

    @Override
    public void close() throws IOException {
        usage.close();
        stat.close();
        for (ProcFile limit : limits) {
            limit.close();
        }
    }
}
