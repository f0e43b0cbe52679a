// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cgroup;

/**
 * What one container uses and suffers at one moment. Faults, refaults and CPU time count from the container's start.
 *
 * @param memoryUsageBytes charged memory, page cache included
 * @param memoryLimitBytes the tightest limit, or {@link MemoryGroup#UNLIMITED}
 * @param workingSetBytes memory that cannot be given back without harm
 * @param majorFaults page faults that waited for the disk
 * @param fileRefaults file pages read again shortly after they were pushed out
 * @param cpuNanos CPU time used; 0 where CPU accounting is off
 * @param memoryPressure share of the last 10 s in which some task waited for memory, 0 to 1; NaN where the kernel does
 *     not tell (v1 without a v2 hierarchy beside it)
 */
public record ContainerCounters(
        long memoryUsageBytes,
        long memoryLimitBytes,
        long workingSetBytes,
        long majorFaults,
        long fileRefaults,
        long cpuNanos,
        double memoryPressure) {}
