// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import io.albm.core.cgroup.ContainerGroups;
import io.albm.core.cgroup.CpuGroup;
import java.io.IOException;
import java.nio.file.Files;

/** How many processors there are to use. */
final class Processors {
    private Processors() {}

    /** Those of the host that are online. */
    static int online(HostFiles files) throws IOException {
        return count(Files.readString(files.sys().resolve("devices/system/cpu/online")));
    }

    /** Those of the host, or the container's CPU limit if that is less: 0.5 is half of one. */
    static double capacity(HostFiles files) throws IOException {
        double online = online(files);
        ContainerGroups container = files.container().orElse(null);
        if (container == null) {
            return online;
        }
        try (CpuGroup group = CpuGroup.open(container)) {
            return Math.min(online, group.limit());
        }
    }

    /** How many processors a list such as {@code 0-3,6} names. */
    static int count(String list) {
        int count = 0;
        for (String range : list.strip().split(",", -1)) {
            String[] ends = range.split("-", -1);
            count += Integer.parseInt(ends[ends.length - 1]) - Integer.parseInt(ends[0]) + 1;
        }
        return count;
    }
}
