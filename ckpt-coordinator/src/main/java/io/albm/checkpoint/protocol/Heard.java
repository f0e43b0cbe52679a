// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import org.jspecify.annotations.Nullable;

/**
 * How much a coordinator knows of what a supervisor has to report on the checkpoint in hand.
 *
 * @param log which reports: a supervisor that was started anew has others; 0 for none
 * @param reports how many of them, the earliest first; at least 0
 */
public record Heard(long log, int reports) {
    /** Nothing. */
    public static final Heard NONE = new Heard(0, 0);

    /** A coordinator of before says nothing: it is told everything. */
    static Heard orNone(@Nullable Heard said) {
        return said == null ? NONE : said;
    }
}
