// SPDX-License-Identifier: Apache-2.0
package io.albm.examples.heat;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StripTest {
    private static final int SIZE = 23;

    @Test
    void isTheSameBitByBitForEveryNumberOfRanks() throws IOException {
        byte[] alone = plate(1, 40);
        for (int ranks = 2; ranks <= 5; ranks++) {
            assertThat(plate(ranks, 40)).as("%d ranks", ranks).isEqualTo(alone);
        }
    }

    @Test
    void goesOnFromASavedStateAsIfNothingHadHappened() throws IOException {
        Strip strip = new Strip(SIZE, 0, 1);
        strip.advance();
        ByteArrayOutputStream saved = new ByteArrayOutputStream();
        strip.save(new DataOutputStream(saved));
        Strip restored = new Strip(SIZE, 0, 1);
        restored.restore(new DataInputStream(new ByteArrayInputStream(saved.toByteArray())));
        restored.advance();
        strip.advance();
        assertThat(restored.step()).isEqualTo(2);
        assertThat(rows(restored)).isEqualTo(rows(strip));
    }

    @Test
    void heatFlowsAndTheEdgeKeepsItsTemperature() throws IOException {
        assertThat(plate(1, 0)).isNotEqualTo(plate(1, 1));
        DataInputStream cells = new DataInputStream(new ByteArrayInputStream(plate(1, 100)));
        assertThat(cells.readDouble()).isEqualTo(100);
    }

    private static byte[] plate(int ranks, int steps) throws IOException {
        List<Strip> strips = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            strips.add(new Strip(SIZE, rank, ranks));
        }
        for (int step = 0; step < steps; step++) {
            exchangeHalos(strips);
            strips.forEach(Strip::advance);
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (Strip strip : strips) {
            all.write(rows(strip));
        }
        return all.toByteArray();
    }

    private static void exchangeHalos(List<Strip> strips) throws IOException {
        for (int rank = 1; rank < strips.size(); rank++) {
            Strip above = strips.get(rank - 1);
            Strip below = strips.get(rank);
            above.read(above.rows() + 1, 1, written(below, 1, 1));
            below.read(0, 1, written(above, above.rows(), 1));
        }
    }

    private static DataInputStream written(Strip strip, int from, int count) throws IOException {
        return new DataInputStream(new ByteArrayInputStream(bytes(strip, from, count)));
    }

    private static byte[] rows(Strip strip) throws IOException {
        return bytes(strip, 1, strip.rows());
    }

    private static byte[] bytes(Strip strip, int from, int count) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        strip.write(from, count, new DataOutputStream(bytes));
        return bytes.toByteArray();
    }
}
