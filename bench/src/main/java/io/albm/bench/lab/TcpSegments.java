// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.lab;

import java.util.Arrays;
import java.util.List;

/**
 * TCP segments that a network namespace has sent since it was made.
 *
 * @param sent those sent again excluded, as the kernel counts them (RFC 4022, tcpOutSegs)
 * @param retransmitted sent again
 */
public record TcpSegments(long sent, long retransmitted) {
    /** None at all. */
    public static final TcpSegments NONE = new TcpSegments(0, 0);

    /**
     * As in {@code /proc/net/snmp}: a line of names, and one of values.
     *
     * @throws IllegalArgumentException if there are no such lines
     */
    static TcpSegments parse(String snmp) {
        List<List<String>> lines = snmp.lines()
                .filter(line -> line.startsWith("Tcp:"))
                .map(line -> Arrays.asList(line.split(" ")))
                .toList();
        if (lines.size() != 2) {
            throw new IllegalArgumentException("expected two lines 'Tcp:' in /proc/net/snmp, found " + lines.size());
        }
        return new TcpSegments(
                value("OutSegs", lines.getFirst(), lines.getLast()),
                value("RetransSegs", lines.getFirst(), lines.getLast()));
    }

    private static long value(String name, List<String> names, List<String> values) {
        int at = names.indexOf(name);
        if (at < 0 || at >= values.size()) {
            throw new IllegalArgumentException("expected '" + name + "' in /proc/net/snmp");
        }
        return Long.parseLong(values.get(at));
    }

    /** Both together. */
    public TcpSegments plus(TcpSegments other) {
        return new TcpSegments(sent + other.sent, retransmitted + other.retransmitted);
    }

    /** What came since. */
    public TcpSegments minus(TcpSegments before) {
        return new TcpSegments(sent - before.sent, retransmitted - before.retransmitted);
    }
}
