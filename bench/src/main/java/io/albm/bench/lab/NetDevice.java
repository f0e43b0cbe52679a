// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.lab;

/**
 * What the kernel counts of a network interface.
 *
 * @param receivedBytes heads included
 * @param sentBytes heads included
 */
record NetDevice(long receivedBytes, long sentBytes) {
    private static final int SENT_COLUMN = 8;

    /**
     * As in {@code /proc/net/dev}.
     *
     * @throws IllegalArgumentException if it does not name the interface
     */
    static NetDevice parse(String devices, String name) {
        String[] columns = devices.lines()
                .map(String::strip)
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip().split(" +"))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no interface '" + name + "' in /proc/net/dev"));
        return new NetDevice(Long.parseLong(columns[0]), Long.parseLong(columns[SENT_COLUMN]));
    }
}
