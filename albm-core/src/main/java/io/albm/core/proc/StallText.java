// SPDX-License-Identifier: Apache-2.0
package io.albm.core.proc;

import static io.albm.core.proc.ProcText.label;

/** Reads the kernel's pressure stall information ({@code /proc/pressure}). */
public final class StallText {
    private static final byte[] SOME = label("some ");
    private static final byte[] TOTAL = label("total=");

    private StallText() {}

    /**
     * Microseconds for which some task has waited, of {@code some avg10=0.00 avg60=0.00 avg300=0.00 total=0}; {@link
     * ProcText#ABSENT} if there is no such line. Its growth, unlike {@code avg10}, does not show what was over ten seconds ago.
     */
    public static long someMicros(ProcText text) {
        int field = text.skipBlanks(text.afterLabel(SOME, 0));
        while (field != ProcText.ABSENT && !text.startsWith(TOTAL, field)) {
            field = text.field(field, 1);
        }
        return field == ProcText.ABSENT ? ProcText.ABSENT : text.numberAt(field + TOTAL.length);
    }
}
