// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.durability;

import io.albm.storage.StripeGeometry;

/** Who makes again what a lost node held. Each lost unit is made of K others, by whoever takes it. */
enum RebuildMode {
    /** One replacement takes everything: its disk writes, its network brings in K times as much. */
    IN_PLACE("in-place") {
        @Override
        double transferHours(ClusterModel cluster, StripeGeometry geometry) {
            double seconds = cluster.bytesPerNode()
                    * Math.max(
                            1 / cluster.diskBytesPerSecond(), geometry.dataUnits() / cluster.networkBytesPerSecond());
            return seconds / SECONDS_PER_HOUR;
        }

        @Override
        double speed(int rebuilding, int up, int nodes) {
            return 1;
        }
    },

    /** All others take a share, and share the reading: rebuilds at the same time share the same disks and networks. */
    MANY_TAKERS("many-takers") {
        @Override
        double transferHours(ClusterModel cluster, StripeGeometry geometry) {
            double bytesPerTaker = cluster.bytesPerNode() / (cluster.nodes() - 1);
            double seconds = bytesPerTaker
                    * Math.max(
                            (geometry.dataUnits() + 1) / cluster.diskBytesPerSecond(),
                            geometry.dataUnits() / cluster.networkBytesPerSecond());
            return seconds / SECONDS_PER_HOUR;
        }

        @Override
        double speed(int rebuilding, int up, int nodes) {
            return (double) up / (nodes - 1) / rebuilding;
        }
    };

    private static final double SECONDS_PER_HOUR = 3600;

    private final String label;

    RebuildMode(String label) {
        this.label = label;
    }

    /** As in the results. */
    String label() {
        return label;
    }

    /** How long a rebuild takes from its begin to its end if no other node is down. */
    abstract double transferHours(ClusterModel cluster, StripeGeometry geometry);

    /**
     * How fast each rebuild goes, where 1 is its speed if no other node is down.
     *
     * @param rebuilding how many there are, 1 or more
     * @param up nodes that are not down
     * @param nodes all nodes
     */
    abstract double speed(int rebuilding, int up, int nodes);
}
