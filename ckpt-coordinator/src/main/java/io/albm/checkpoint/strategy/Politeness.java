// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.strategy;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Who yields when checkpoints and other traffic want the same link. */
public enum Politeness {
    /** Checkpoints: they slow down before others notice them. */
    POLITE,

    /** Nobody: checkpoints take their share, and slow down for losses only. */
    FAST;

    /** All names. */
    public static List<String> names() {
        return Stream.of(values()).map(Politeness::text).toList();
    }

    /** The one of that name. */
    public static Politeness of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT));
    }

    /** As in the configuration. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
