// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class TallyTest {
    @Test
    void programsSideBySideCountFromTheFirstBeginToTheLastEnd() {
        Tally together = Tally.together(List.of(
                new Tally(100, 1_000_000_000L, 1_500_000_000L), new Tally(300, 1_200_000_000L, 3_000_000_000L)));
        assertThat(together).isEqualTo(new Tally(400, 1_000_000_000L, 3_000_000_000L));
        assertThat(together.perSecond()).isEqualTo(200);
    }

    @Test
    void megabytesAreMillionsOfBytes() {
        assertThat(new Tally(512 << 20, 0, 4_000_000_000L).megabytesPerSecond()).isEqualTo(134.217728);
    }

    @Test
    void aProgramsLineIsRead() {
        Tally tally = new Tally(7, 12, 345);
        assertThat(Tally.parse(tally + "\n")).isEqualTo(tally);
    }

    @Test
    void anotherLineIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Tally.parse("done"))
                .withMessageContaining("'done'");
    }
}
