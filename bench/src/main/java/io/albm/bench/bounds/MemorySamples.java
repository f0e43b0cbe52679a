// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.bounds;

import io.albm.bench.process.AdminPort;
import io.albm.bench.process.ProcessMemory;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.util.Map;

/**
 * The most that a cache server has had of each kind of memory, of what it has told and what the kernel counts.
 *
 * @param samples how many looks were taken
 * @param resident most bytes of documents in memory
 * @param capacity their bound
 * @param transit most bytes read, streamed, or evicted while they are sent
 * @param transitLimit their bound
 * @param residentSet most bytes of the process in memory, by the kernel
 * @param evictions by the last look
 */
record MemorySamples(
        int samples,
        double resident,
        double capacity,
        double transit,
        double transitLimit,
        double residentSet,
        double evictions) {

    static final MemorySamples NONE = new MemorySamples(0, 0, 0, 0, 0, 0, 0);

    /** Takes one more look. */
    MemorySamples lookAt(NodeAddress admin, long pid) throws IOException {
        return with(AdminPort.values(admin), (double) ProcessMemory.residentBytes(pid));
    }

    /** The same with what was seen now. */
    MemorySamples with(Map<String, Double> metrics, double residentSetNow) {
        return new MemorySamples(
                samples + 1,
                Math.max(resident, metrics.getOrDefault("albm_cache_resident_bytes", Double.NaN)),
                metrics.getOrDefault("albm_cache_capacity_bytes", Double.NaN),
                Math.max(transit, metrics.getOrDefault("albm_cache_transit_bytes", Double.NaN)),
                metrics.getOrDefault("albm_cache_transit_limit_bytes", Double.NaN),
                Math.max(residentSet, residentSetNow),
                metrics.getOrDefault("albm_cache_evictions_total", Double.NaN));
    }
}
