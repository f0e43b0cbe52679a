// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cgroup;

import static io.albm.core.proc.ProcText.ABSENT;
import static io.albm.core.proc.ProcText.label;

import io.albm.core.proc.ProcFile;
import io.albm.core.proc.ProcText;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The counters of one memory control group, v1 or v2, over descriptors that stay open; a read allocates nothing.
 *
 * <p>The limit is the tightest of the group and its ancestors, as the kernel enforces it. The working set is usage less
 * the file pages on the inactive list, which the kernel gives back without harm: the definition that container
 * platforms evict by. What is left, {@link #headroomBytes()}, is therefore what the group can still take before pages
 * that are in use must go. Not thread-safe.
 */
public final class MemoryGroup implements Closeable {
    /** The limit of a group that has none. */
    public static final long UNLIMITED = Long.MAX_VALUE;

    /** v1 writes "no limit" as the largest multiple of a page; nothing real comes near. */
    private static final long NO_REAL_LIMIT = 1L << 60;

    private final Generation generation;
    private final ProcFile usage;
    private final ProcFile stat;
    private final List<ProcFile> limits;

    private MemoryGroup(Generation generation, Path directory) throws IOException {
        this.generation = generation;
        this.usage = ProcFile.open(directory.resolve(generation.usage));
        this.stat = ProcFile.open(directory.resolve("memory.stat"));
        this.limits = limits(generation.limit, directory);
    }

    /**
     * Opens the group at {@code directory}.
     *
     * @throws IOException if it is no memory control group, with the files that were looked for
     */
    public static MemoryGroup open(Path directory) throws IOException {
        for (Generation generation : Generation.ALL) {
            if (Files.exists(directory.resolve(generation.usage))) {
                return new MemoryGroup(generation, directory);
            }
        }
        throw new IOException(
                directory + " is no memory control group (neither memory.usage_in_bytes nor memory.current"
                        + " is there; the root group of v2 has no counters of its own)");
    }

    /** A group without the file (the root) has no limit, and so ends the chain. */
    private static List<ProcFile> limits(String name, Path directory) throws IOException {
        List<ProcFile> files = new ArrayList<>();
        for (Path at = directory; at != null && Files.exists(at.resolve(name)); at = at.getParent()) {
            files.add(ProcFile.open(at.resolve(name)));
        }
        return files;
    }

    /** Memory charged to the group, bytes, page cache included. */
    public long usageBytes() throws IOException {
        return usage.require(usage.read().numberAt(0), "number");
    }

    /** The tightest limit that holds for the group, bytes, or {@link #UNLIMITED}. */
    public long limitBytes() throws IOException {
        long tightest = UNLIMITED;
        // By index: an iterator would be the only object of a sample.
        for (int i = 0; i < limits.size(); i++) {
            tightest = Math.min(tightest, limit(limits.get(i).read()));
        }
        return tightest;
    }

    private static long limit(ProcText text) {
        long number = text.numberAt(0);
        return number == ABSENT || number >= NO_REAL_LIMIT ? UNLIMITED : number;
    }

    /** Bytes in use that cannot be given back without harm. */
    public long workingSetBytes() throws IOException {
        long inactive = stat.require(stat.read().numberAfter(generation.inactiveFile), "inactive_file");
        return Math.max(0, usageBytes() - inactive);
    }

    /** Bytes that the group can still take before pages in use must go; {@link #UNLIMITED} without a limit. */
    public long headroomBytes() throws IOException {
        long limit = limitBytes();
        return limit == UNLIMITED ? UNLIMITED : Math.max(0, limit - workingSetBytes());
    }

    /** Page faults that waited for the disk, since the group was made. */
    public long majorFaults() throws IOException {
        return stat.require(stat.read().numberAfter(generation.majorFaults), "pgmajfault");
    }

    /**
     * Pages of files that had to be read again shortly after they were pushed out, since the group was made: the sign
     * of a working set that does not fit. 0 on kernels that do not count it.
     */
    public long fileRefaults() throws IOException {
        return Math.max(0, stat.read().numberAfter(generation.fileRefaults));
    }

    @Override
    public void close() throws IOException {
        usage.close();
        stat.close();
        for (ProcFile limit : limits) {
            limit.close();
        }
    }

    /** What each generation calls the same thing. v1's {@code total_} lines count the sub-tree, as v2 always does. */
    private static final class Generation {
        static final List<Generation> ALL = List.of(
                new Generation("memory.usage_in_bytes", "memory.limit_in_bytes", "total_"),
                new Generation("memory.current", "memory.max", ""));

        private final String usage;
        private final String limit;
        private final byte[] inactiveFile;
        private final byte[] majorFaults;
        private final byte[] fileRefaults;

        private Generation(String usage, String limit, String prefix) {
            this.usage = usage;
            this.limit = limit;
            this.inactiveFile = label(prefix + "inactive_file ");
            this.majorFaults = label(prefix + "pgmajfault ");
            this.fileRefaults = label(prefix + "workingset_refault_file ");
        }
    }
}
