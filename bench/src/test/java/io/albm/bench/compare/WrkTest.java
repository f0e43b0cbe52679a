// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.bench.compare.Wrk.Seen;
import io.albm.core.cli.CliException;
import org.junit.jupiter.api.Test;

class WrkTest {
    @Test
    void readsWhatTheScriptPrinted() {
        Seen seen = Seen.parse("Running 1s test @ http://127.0.0.1:1/\n  2 requests\nSEEN 31250 1000123 0 0 0 0 0");
        assertThat(seen).isEqualTo(new Seen(31_250, 1_000_123, 0));
    }

    @Test
    void addsUpEveryKindOfError() {
        assertThat(Seen.parse("SEEN 10 1000 1 2 4 8 16").errors()).isEqualTo(31);
    }

    @Test
    void saysSoWhenWrkToldNothing() {
        assertThatThrownBy(() -> Seen.parse("unable to connect"))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("unable to connect");
    }
}
