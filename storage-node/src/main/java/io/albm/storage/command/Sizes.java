// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.command;

import java.util.Locale;

/** Numbers of bytes for people. */
final class Sizes {
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};

    private Sizes() {}

    /** With one decimal at most, such as {@code 1.5 MiB}. */
    static String text(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= 1024 && unit < UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, value == Math.rint(value) ? "%.0f %s" : "%.1f %s", value, UNITS[unit]);
    }
}
