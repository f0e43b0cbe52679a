// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cgroup;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The counters of one memory control group, v1 or v2, over descriptors that stay open; a read allocates nothing.
 *
 * <p>The working set is usage less the file pages on the inactive list, which the kernel gives back without harm: the
 * definition that container platforms evict by.
 *
 * <p>The headroom is what a group can still take before something that is no page cache must go: its limit less its usage,
 * and all its file pages, as {@code MemAvailable} counts them for a host. Whether a file page is on the active list depends
 * on whether the kernel has ever had to look for victims there: after one shortage a group would seem to be short for
 * ever. Because an ancestor's limit holds for the sum of all groups below it, {@link #headroomBytes()} is the least of
 * that over the group and its ancestors: a pod may be full while its container looks half empty. Not thread-safe.
 */
public final class MemoryGroup implements Closeable {
    /** The limit of a group that has none. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    private final MemoryLevel own;
    private final List<MemoryLevel> levels;

    private MemoryGroup(List<MemoryLevel> levels) {
        this.own = levels.getFirst();
        this.levels = levels;
    }

    /**
     * Opens the group at {@code directory}.
     *
     * @throws IOException if it is no memory control group, with the files that were looked for
     */
    public static MemoryGroup open(Path directory) throws IOException {
        MemoryFiles names = MemoryFiles.at(directory)
                .orElseThrow(() -> new IOException(directory
                        + " is no memory control group (neither memory.usage_in_bytes nor memory.current"
                        + " is there; the root group of v2 has no counters of its own)"));
        List<MemoryLevel> levels = new ArrayList<>();
        levels.add(MemoryLevel.open(names, directory));
        for (Path at = directory.getParent(); at != null && names.bindBelow(at); at = at.getParent()) {
            levels.add(MemoryLevel.open(names, at));
        }
        return new MemoryGroup(levels);
    }

    /** Memory charged to the group, bytes, page cache included. */
    public long usageBytes() throws IOException {
        return own.usageBytes();
    }

    /** The tightest limit that holds for the group, bytes, or {@link #UNLIMITED}. */
    public long limitBytes() throws IOException {
        long tightest = UNLIMITED;
        // By index: an iterator would be the only object of a sample.
        for (int i = 0; i < levels.size(); i++) {
            tightest = Math.min(tightest, levels.get(i).limitBytes());
        }
        return tightest;
    }

    /** Bytes in use that cannot be given back without harm. */
    public long workingSetBytes() throws IOException {
        return own.workingSetBytes();
    }

    /** Bytes that the group can still take if it gives up its page cache; {@link #UNLIMITED} without a limit. */
    public long headroomBytes() throws IOException {
        long tightest = UNLIMITED;
        for (int i = 0; i < levels.size(); i++) {
            tightest = Math.min(tightest, levels.get(i).headroomBytes());
        }
        return tightest;
    }

    /** Page faults that waited for the disk, since the group was made. */
    public long majorFaults() throws IOException {
        return own.majorFaults();
    }

    /**
     * Pages of files that had to be read again shortly after they were pushed out, since the group was made: the sign
     * of a working set that does not fit. 0 on kernels that do not count it.
     */
    public long fileRefaults() throws IOException {
        return own.fileRefaults();
    }

    @Override
    public void close() throws IOException {
        for (MemoryLevel level : levels) {
            level.close();
        }
    }
}
