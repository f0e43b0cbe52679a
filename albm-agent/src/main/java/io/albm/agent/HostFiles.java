// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import io.albm.core.cgroup.ContainerGroups;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the counters of a host are read.
 *
 * @param proc the proc file system
 * @param sys the sys file system
 * @param container the control groups whose limits bound memory and processors, if any
 * @param interfaces the network interfaces that count
 */
public record HostFiles(Path proc, Path sys, Optional<ContainerGroups> container, InterfaceFilter interfaces) {
    /** This host's own, every interface but loopback. */
    public static HostFiles ofThisHost() {
        return new HostFiles(Path.of("/proc"), Path.of("/sys"), Optional.empty(), InterfaceFilter.allButLoopback());
    }
}
