// SPDX-License-Identifier: Apache-2.0
package io.albm.placement;

import io.albm.core.cgroup.MemoryGroup;
import java.util.Locale;

/** Figures for tables. */
final class Text {
    private static final int BITS_PER_MEBIBYTE = 20;

    private Text() {}

    static String mebibytes(long bytes) {
        return bytes == MemoryGroup.UNLIMITED ? "-" : (bytes >> BITS_PER_MEBIBYTE) + " MiB";
    }

    /** A share as a percentage; {@code -} if it is not known. */
    static String percent(double share) {
        return Double.isNaN(share) ? "-" : String.format(Locale.ROOT, "%.1f %%", share * 100);
    }
}
