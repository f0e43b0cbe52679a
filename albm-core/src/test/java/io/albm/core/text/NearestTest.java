// SPDX-License-Identifier: Apache-2.0
package io.albm.core.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {
    private static final List<String> COMMANDS = List.of("up", "down", "status", "storage", "top", "zookeeper");

    @ParameterizedTest
    @CsvSource({"staus,status", "STATUS,status", "sotrage,storage", "dwon,down", "zoo,zookeeper", "tpo,top"})
    void findsTheNameThatWasMeant(String typed, String meant) {
        assertThat(Nearest.to(typed, COMMANDS)).hasValue(meant);
    }

    @Test
    void staysSilentWhenNothingIsNear() {
        assertThat(Nearest.to("experiment", COMMANDS)).isEmpty();
        assertThat(Nearest.hint("experiment", COMMANDS)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"abc,abc,0", "abc,acb,1", "abc,ab,1", "'',abc,3", "kitten,sitting,3"})
    void countsInsertionsDeletionsReplacementsAndSwaps(String a, String b, int edits) {
        assertThat(Nearest.distance(a, b)).isEqualTo(edits);
        assertThat(Nearest.distance(b, a)).isEqualTo(edits);
    }
}
