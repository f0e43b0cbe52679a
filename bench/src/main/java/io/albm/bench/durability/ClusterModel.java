// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.durability;

/**
 * What a simulated cluster is made of: nodes that are all alike.
 *
 * @param nodes N, 2 or more
 * @param mtbfHours mean time between failures of one node that take all it holds with them, above 0
 * @param bytesPerNode what a node holds and a rebuild has to make again, above 0
 * @param diskBytesPerSecond what a node's disk gives rebuilds, reads and writes together, above 0
 * @param networkBytesPerSecond what a node's network gives rebuilds in each direction, above 0
 * @param delayHours from a failure until its rebuild begins, 0 or more
 */
record ClusterModel(
        int nodes,
        double mtbfHours,
        double bytesPerNode,
        double diskBytesPerSecond,
        double networkBytesPerSecond,
        double delayHours) {
    static final double YEAR_HOURS = 365.25 * 24;

    ClusterModel {
        require(nodes >= 2, nodes, "2 nodes or more");
        require(mtbfHours > 0, mtbfHours, "hours above 0 between failures");
        require(bytesPerNode > 0, bytesPerNode, "bytes above 0 per node");
        require(diskBytesPerSecond > 0, diskBytesPerSecond, "bytes per second above 0 for the disk");
        require(networkBytesPerSecond > 0, networkBytesPerSecond, "bytes per second above 0 for the network");
        require(delayHours >= 0, delayHours, "hours of delay, 0 or more");
    }

    private static void require(boolean condition, double value, String expected) {
        if (!condition) {
            throw new IllegalArgumentException(value + ": expected " + expected);
        }
    }

    /** Failures of one node per hour. */
    double failuresPerHour() {
        return 1 / mtbfHours;
    }
}
