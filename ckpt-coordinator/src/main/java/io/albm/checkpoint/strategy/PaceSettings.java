// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.strategy;

/**
 * What the network can carry, and how much of it checkpoints may have.
 *
 * @param portBytesPerSecond speed of an I/O node's port in one direction, more than 0
 * @param nodeLinkBytesPerSecond speed of the link of a node that runs ranks, more than 0
 * @param share of an I/O node's port that checkpoints may have at most, more than 0, at most 1. Rates count the bytes of blocks;
 *     heads of frames, TCP, IP and Ethernet add 5 % on the wire
 * @param politeness who yields
 */
public record PaceSettings(
        double portBytesPerSecond, double nodeLinkBytesPerSecond, double share, Politeness politeness) {
    /** Bytes of frames for each byte of a block, with acknowledgements of what comes the other way. */
    private static final double ON_THE_WIRE = 1.08;

    public PaceSettings {
        if (!(portBytesPerSecond > 0) || !(nodeLinkBytesPerSecond > 0)) {
            throw new IllegalArgumentException("a port of " + portBytesPerSecond + " B/s and a node's link of "
                    + nodeLinkBytesPerSecond + " B/s: expected more than 0");
        }
        if (!(share > 0) || share > 1) {
            throw new IllegalArgumentException("share " + share + ": expected more than 0, at most 1");
        }
    }

    /** The highest rate of an I/O node, in bytes per second. */
    public double mostBytesPerSecond() {
        return portBytesPerSecond * share;
    }

    /** How many times what a rank's link carries so many I/O nodes may grant together, heads of frames included, rounded up, at least 1. */
    public int fanOut(int nodes) {
        double wire = Math.min(portBytesPerSecond, mostBytesPerSecond() * ON_THE_WIRE);
        return Math.max(1, (int) Math.ceil(nodes * wire / nodeLinkBytesPerSecond));
    }

    /** Writers that it takes to fill one I/O node's port. */
    public int floor() {
        return (int) Math.ceil(portBytesPerSecond / nodeLinkBytesPerSecond);
    }
}
