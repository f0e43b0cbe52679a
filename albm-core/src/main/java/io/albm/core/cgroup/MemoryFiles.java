// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cgroup;

import static io.albm.core.proc.ProcText.label;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What each generation of control groups calls the same thing. v1's {@code total_} lines count the sub-tree, as v2
 * always does. v2's {@code memory.high} is a limit too: above it tasks are slowed down until they have given back.
 */
final class MemoryFiles {
    private static final List<MemoryFiles> GENERATIONS = List.of(
            new MemoryFiles("memory.usage_in_bytes", List.of("memory.limit_in_bytes"), "total_"),
            new MemoryFiles("memory.current", List.of("memory.max", "memory.high"), ""));

    /** v1 only: 0 where a group's limit does not hold for the groups below it. */
    private static final String USE_HIERARCHY = "memory.use_hierarchy";

    private final String usage;
    private final List<String> limits;
    private final byte[] inactiveFile;
    private final byte[] activeFile;
    private final byte[] majorFaults;
    private final byte[] fileRefaults;

    private MemoryFiles(String usage, List<String> limits, String prefix) {
        this.usage = usage;
        this.limits = limits;
        this.inactiveFile = label(prefix + "inactive_file ");
        this.activeFile = label(prefix + "active_file ");
        this.majorFaults = label(prefix + "pgmajfault ");
        this.fileRefaults = label(prefix + "workingset_refault_file ");
    }

    /** The names that hold at {@code directory}; empty if it is no memory group. */
    static Optional<MemoryFiles> at(Path directory) {
        return GENERATIONS.stream().filter(names -> names.exist(directory)).findFirst();
    }

    private boolean exist(Path directory) {
        return Files.exists(directory.resolve(usage));
    }

    /**
     * Whether the limits at {@code ancestor} hold for the groups below it. The root has no limit in v2, which is how
     * the chain ends there.
     */
    boolean bindBelow(Path ancestor) throws IOException {
        Path hierarchy = ancestor.resolve(USE_HIERARCHY);
        return exist(ancestor)
                && !(Files.exists(hierarchy)
                        && Files.readString(hierarchy).strip().equals("0"));
    }

    String usage() {
        return usage;
    }

    List<String> limits() {
        return limits;
    }

    byte[] inactiveFile() {
        return inactiveFile;
    }

    byte[] activeFile() {
        return activeFile;
    }

    byte[] majorFaults() {
        return majorFaults;
    }

    byte[] fileRefaults() {
        return fileRefaults;
    }
}
