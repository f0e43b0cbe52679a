// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.strategy;

import java.util.List;

/**
 * What is known of the network now.
 *
 * @param bandwidth what others leave of the coordinator's link, for P3's rule
 * @param settings what the network can carry
 * @param ports of all I/O nodes, in the order of their ids; empty if none is known
 * @param totalBytesPerSecond the rates of all I/O nodes together, also while they are not set
 * @param retransmitShare of the segments that the job's hosts sent last, 0 to 1
 */
public record Network(
        Bandwidth bandwidth,
        PaceSettings settings,
        List<PortState> ports,
        double totalBytesPerSecond,
        double retransmitShare) {
    private static final double GIGABIT = 125_000_000;

    /** Nothing was measured: gigabit links that nobody uses. */
    public static final Network UNKNOWN = unmeasured(Bandwidth.UNCHANGED);

    public Network {
        ports = List.copyOf(ports);
    }

    /** A network of gigabit links of which only this is known. */
    public static Network unmeasured(Bandwidth bandwidth) {
        PaceSettings gigabit = new PaceSettings(GIGABIT, GIGABIT, 1, Politeness.POLITE);
        return new Network(bandwidth, gigabit, List.of(), gigabit.mostBytesPerSecond(), 0);
    }

    /** The longest queue at a port, in microseconds. */
    public long queueMicros() {
        return ports.stream().mapToLong(PortState::queueMicros).max().orElse(0);
    }

    /** The lowest rate of a port, in bytes per second; 0 if one is as fast as it can. */
    public double slowestBytesPerSecond() {
        return ports.stream().mapToDouble(PortState::bytesPerSecond).min().orElse(0);
    }

    /** What all ports grant credit at, in bytes per second; 0 if one is as fast as it can. */
    public double grantedBytesPerSecond() {
        return slowestBytesPerSecond() > 0 ? totalBytesPerSecond : 0;
    }
}
