// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.lab;

import java.util.List;

/**
 * Hosts that are alike.
 *
 * @param hosts 1 to 250, beside the unshaped host 0
 * @param megabits a second, of every host's link and every port of the switch
 * @param portBufferBytes what a port of the switch holds for a host that gets more than that
 */
public record LabShape(int hosts, int megabits, int portBufferBytes) {
    /** Of a full frame on the wire: a segment of TCP with time stamps in it. */
    private static final double PAYLOAD = 1448.0 / 1514;

    /** Bytes a second that a link carries, heads included. */
    public double bytesPerSecond() {
        return megabits * 1e6 / Byte.SIZE;
    }

    /** Bytes of TCP's streams that it carries a second, if all segments are full. */
    public double payloadPerSecond() {
        return bytesPerSecond() * PAYLOAD;
    }

    List<String> options() {
        return List.of(
                "--hosts", Integer.toString(hosts),
                "--rate", Integer.toString(megabits),
                "--buffer", Integer.toString(portBufferBytes));
    }
}
