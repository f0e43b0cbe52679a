// SPDX-License-Identifier: Apache-2.0
package io.albm.core.proc;

import static io.albm.core.proc.ProcText.ABSENT;
import static io.albm.core.proc.ProcText.label;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ProcTextTest {
    private static final ProcText MEMINFO = ProcText.of("MemTotal:       24684084 kB\nMemAvailable:   24330932 kB\n");

    @Test
    void findsTheNumberAfterALabelAtALineStart() {
        assertThat(MEMINFO.numberAfter(label("MemAvailable:"))).isEqualTo(24330932);
    }

    @Test
    void aLabelInsideALineDoesNotCount() {
        assertThat(MEMINFO.numberAfter(label("Available:"))).isEqualTo(ABSENT);
    }

    @Test
    void aMissingLabelPassesThroughAsAbsent() {
        assertThat(MEMINFO.numberAfter(label("SwapFree:"))).isEqualTo(ABSENT);
        assertThat(MEMINFO.numberAt(MEMINFO.field(ABSENT, 2))).isEqualTo(ABSENT);
    }

    @Test
    void fieldsEndWithTheLine() {
        ProcText text = ProcText.of("cpu  1 22\nctxt 7\n");
        assertThat(text.numberAt(text.field(0, 2))).isEqualTo(22);
        assertThat(text.field(0, 3)).isEqualTo(ABSENT);
    }

    @Test
    void findsAColumnByItsHeading() {
        ProcText text = ProcText.of("Tcp: CurrEstabX CurrEstab InSegs\n");
        assertThat(text.fieldIndex(0, label("CurrEstab"))).isEqualTo(2);
        assertThat(text.fieldIndex(0, label("OutRsts"))).isEqualTo(ABSENT);
    }

    @Test
    void unsignedNumbersSaturate() {
        ProcText text = ProcText.of("18446744073709551615");
        assertThat(text.numberAt(0)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void wordsAreNotNumbers() {
        assertThat(ProcText.of("max\n").numberAt(0)).isEqualTo(ABSENT);
    }

    @Test
    void anEmptyTextHoldsNothing() {
        ProcText text = ProcText.of("");
        assertThat(text.numberAfter(label("x"))).isEqualTo(ABSENT);
        assertThat(text.nextLine(0)).isEqualTo(ABSENT);
    }
}
