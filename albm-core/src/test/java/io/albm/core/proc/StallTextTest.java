// SPDX-License-Identifier: Apache-2.0
package io.albm.core.proc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StallTextTest {
    @Test
    void tellsHowLongSomeTaskHasWaited() {
        ProcText text = ProcText.of("""
                some avg10=92.78 avg60=78.97 avg300=52.64 total=5319008543
                full avg10=0.00 avg60=0.00 avg300=0.00 total=17
                """);
        assertThat(StallText.someMicros(text)).isEqualTo(5_319_008_543L);
        assertThat(StallText.someMicros(ProcText.of("full total=17\n"))).isEqualTo(ProcText.ABSENT);
    }
}
