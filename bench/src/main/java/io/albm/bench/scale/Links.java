// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.scale;

/**
 * What the network carries.
 *
 * @param ioNodes with one port each; every rank stripes over all of them
 * @param bytesPerSecond of a port, and of the link of a node with a rank, in each direction
 * @param bufferBytes of a port
 * @param load share that traffic which does not yield takes of each port and link, 0 to less than 1
 */
record Links(int ioNodes, double bytesPerSecond, double bufferBytes, double load) {
    private static final double GIGABIT = 125e6;
    private static final double FAST_ETHERNET = 12.5e6;
    private static final double BUFFER = 64 * 1024;

    /** An I/O node on each node, as in P3's single I/O space, and nobody else. */
    static Links gigabit(int nodes) {
        return new Links(nodes, GIGABIT, BUFFER, 0);
    }

    /** P3's: 100 Mbit, the nodes' own disks. */
    static Links ofThePaper(int nodes, double load) {
        return new Links(nodes, FAST_ETHERNET, BUFFER, load);
    }

    /** What the load leaves of a port or link. */
    double left() {
        return bytesPerSecond * (1 - load);
    }

    /** The wait behind a full buffer. */
    double fullQueueSeconds() {
        return bufferBytes / bytesPerSecond;
    }
}
