// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RepairMemoryTest {
    private static final int OFFERED = 1000;

    private final RepairMemory memory = new RepairMemory();
    private final List<CompletableFuture<Void>> underWay = new ArrayList<>();

    /** Four data units and what is made of them, of 64 KiB, 1, 2, 4 and 16 MiB; and of 16 MiB in stripes of 16 data units. */
    @ParameterizedTest
    @CsvSource({"0.3125, 9", "5, 9", "10, 4", "20, 3", "80, 3", "272, 1"})
    void letsSoManyStripesBeUnderWay(double mebibytes, int expected) {
        for (int i = 0; i < OFFERED; i++) {
            memory.run((long) (mebibytes * (1 << 20)), this::begin);
        }
        assertThat(underWay).hasSize(expected);
        underWay.getFirst().complete(null);
        assertThat(underWay).hasSize(expected + 1);
    }

    private CompletableFuture<Void> begin() {
        CompletableFuture<Void> step = new CompletableFuture<>();
        underWay.add(step);
        return step;
    }
}
