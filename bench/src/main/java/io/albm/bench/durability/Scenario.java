// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.durability;

/** What one simulation is about. */
record Scenario(ClusterModel cluster, Layout layout, RebuildMode mode, TransferTimes times) {
    /** How long a rebuild takes from its begin to its end, on average, if no other node is down. */
    double transferHours() {
        return mode.transferHours(cluster, layout.geometry());
    }

    /** From a failure to full redundancy, on average, if no other node is down. */
    double rebuildHours() {
        return cluster.delayHours() + transferHours();
    }
}
