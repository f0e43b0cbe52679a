// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cgroup;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The directories in which the kernel accounts one container. In the v2 layout all are the same.
 *
 * @param memory the group of the memory controller
 * @param cpu the group of CPU accounting
 * @param quota the group of the CPU controller, which has the CPU limit
 * @param unified the v2 group, which alone has pressure stall information
 */
public record ContainerGroups(
        Optional<Path> memory, Optional<Path> cpu, Optional<Path> quota, Optional<Path> unified) {}
