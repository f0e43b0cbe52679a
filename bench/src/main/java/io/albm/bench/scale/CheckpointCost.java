// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.scale;

import io.albm.checkpoint.protocol.Committed;

/**
 * What one checkpoint took of its coordinator.
 *
 * @param recordBytes written to the coordination store
 * @param manifestBytes written to the striped store
 * @param fileRequests to the striped store: listings, deletions, reading and writing manifests
 * @param entry its record, with its times
 */
record CheckpointCost(
        long cpuNanos,
        long allocatedBytes,
        long commandBytes,
        long answerBytes,
        long recordBytes,
        long manifestBytes,
        long fileRequests,
        long ticks,
        Committed entry) {}
