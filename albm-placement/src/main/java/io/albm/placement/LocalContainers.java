// SPDX-License-Identifier: Apache-2.0
package io.albm.placement;

import io.albm.core.cgroup.CgroupLayout;
import io.albm.core.cgroup.ContainerCounters;
import io.albm.core.cgroup.ContainerGroups;
import io.albm.core.cgroup.ContainerReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The containers of this machine: every memory control group that has processes, with its counters. */
final class LocalContainers {
    private LocalContainers() {}

    /**
     * A container.
     *
     * @param group directory of its memory control group
     * @param processes how many it has
     */
    record LocalContainer(Path group, int processes, ContainerCounters counters) {}

    /** All of them, by directory. What ends while it is being read is left out. */
    static List<LocalContainer> read() throws IOException {
        CgroupLayout layout = CgroupLayout.ofThisMachine();
        Map<Path, List<ContainerGroups>> byGroup = new TreeMap<>();
        ProcessHandle.allProcesses().forEach(process -> collect(layout, process.pid(), byGroup));
        List<LocalContainer> containers = new ArrayList<>();
        byGroup.forEach((group, processes) -> add(group, processes, containers));
        return containers;
    }

    private static void collect(CgroupLayout layout, long pid, Map<Path, List<ContainerGroups>> byGroup) {
        try {
            ContainerGroups groups = layout.groupsOf(pid);
            groups.memory()
                    .ifPresent(path -> byGroup.computeIfAbsent(path, _ -> new ArrayList<>())
                            .add(groups));
        } catch (IOException e) {
            // The process has ended since it was listed.
        }
    }

    private static void add(Path group, List<ContainerGroups> processes, List<LocalContainer> containers) {
        try (ContainerReader reader = ContainerReader.open(processes.getFirst())) {
            containers.add(new LocalContainer(group, processes.size(), reader.read()));
        } catch (IOException e) {
            // It has ended, or it is v2's root group, which is no container and has no counters.
        }
    }
}
