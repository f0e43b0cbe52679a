// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.multistripe;

import io.albm.bench.lab.LabShape;
import io.albm.checkpoint.CoordinatorKeys;
import io.albm.checkpoint.strategy.PaceSettings;
import io.albm.checkpoint.strategy.Politeness;
import java.util.stream.IntStream;

/**
 * What a checkpoint is stored over.
 *
 * @param ports I/O nodes that files are striped over: hosts of their own, or, if as many as there are ranks, the ranks' own
 * @param megabits a second, of every link and port
 * @param portBufferKilobytes of every port of the switch
 * @param load what else is sent to the I/O nodes
 * @param rankBytes what each rank stores
 * @param rounds how often each scheme has its turn
 */
record Scene(int ports, int megabits, int portBufferKilobytes, Load load, long rankBytes, int rounds) {
    static final int RANKS = 16;

    private static final int KILOBYTE = 1024;
    private static final int LEAST_UNIT = 64 * KILOBYTE;
    private static final int MOST_UNIT = 1024 * KILOBYTE;
    private static final int STRIPES = 4;

    /** The hosts: ranks, I/O nodes of their own, and a bystander. */
    LabShape shape() {
        return new LabShape(bystander(), megabits, portBufferKilobytes * KILOBYTE);
    }

    private boolean isShared() {
        return ports == RANKS;
    }

    /** The number of a host that runs neither ranks nor I/O nodes. */
    int bystander() {
        return RANKS + (isShared() ? 0 : ports) + 1;
    }

    /** The numbers of the hosts that I/O nodes are on. */
    int[] storageHosts() {
        return IntStream.rangeClosed(1, ports)
                .map(port -> isShared() ? port : RANKS + port)
                .toArray();
    }

    /** Bytes of a stripe unit: 1 MiB, or less, as far as a file would not lie on all ports several times. */
    int unitBytes() {
        int unit = MOST_UNIT;
        while (unit > LEAST_UNIT && (long) unit * ports * STRIPES > rankBytes) {
            unit /= 2;
        }
        return unit;
    }

    /** What the coordinator is told of the links; the share that it takes by itself. */
    PaceSettings pace(Politeness politeness) {
        return new PaceSettings(
                shape().bytesPerSecond(),
                shape().bytesPerSecond(),
                Double.parseDouble(CoordinatorKeys.RATE_SHARE.defaultText()),
                politeness);
    }

    /** Seconds that the links need at least, if nobody else used them. */
    double idealSeconds() {
        double crossing = isShared() ? (RANKS - 1.0) / RANKS : 1;
        double bottlenecks = Math.min(ports, RANKS);
        return RANKS * rankBytes * crossing / (shape().payloadPerSecond() * bottlenecks);
    }

    /** In a line. */
    String text() {
        return "%d x %d Mbit, buffer %d KB, load %s, %d x %.1f MB"
                .formatted(ports, megabits, portBufferKilobytes, load.text(), RANKS, rankBytes / 1e6);
    }
}
