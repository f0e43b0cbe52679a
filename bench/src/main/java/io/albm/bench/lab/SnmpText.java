// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.lab;

import io.albm.checkpoint.strategy.TcpSegments;
import java.util.Arrays;
import java.util.List;

/** TCP segments that a network namespace has sent since it was made, as the kernel counts them (RFC 4022). */
final class SnmpText {
    private SnmpText() {}

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
}
