// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.bounds;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BoundsTest {
    @Test
    void anyPartOfADocumentIsKnownAndNoOtherIsTakenForIt(@TempDir Path root) throws IOException {
        PatternedDocument document = new PatternedDocument("/a", 100_003, 1);
        document.write(root);
        byte[] written = Files.readAllBytes(root.resolve("a"));
        assertThat(written).hasSize(100_003);
        assertThat(document.matches(written, written.length, 0)).isTrue();
        byte[] part = Arrays.copyOfRange(written, 65_537, 65_600);
        assertThat(document.matches(part, part.length, 65_537)).isTrue();
        assertThat(document.matches(part, part.length, 65_545)).isFalse();
        assertThat(new PatternedDocument("/b", 100_003, 2).matches(part, part.length, 65_537))
                .isFalse();
    }

    @Test
    void theMostThatWasSeenIsHeldAgainstTheBound() {
        MemorySamples seen = MemorySamples.NONE.with(metrics(100, 5), 900).with(metrics(50, 11), 800);
        var report = MemoryVerdict.of(seen, new MixTally(), 1000, Map.of());
        assertThat(report.targets().get(0).value()).isEqualTo(1);
        assertThat(report.targets().get(0).ok()).isTrue();
        assertThat(report.targets().get(1).ok()).isFalse();
        assertThat(report.targets().get(2).value()).isEqualTo(0.9);
    }

    @Test
    void metricsThatAreMissingAreNoSuccess() {
        MemorySamples seen = MemorySamples.NONE.with(Map.of(), 900);
        assertThat(MemoryVerdict.of(seen, new MixTally(), 1000, Map.of())
                        .targets()
                        .get(0)
                        .ok())
                .isFalse();
    }

    private static Map<String, Double> metrics(double resident, double transit) {
        return Map.of(
                "albm_cache_resident_bytes", resident,
                "albm_cache_capacity_bytes", 100.0,
                "albm_cache_transit_bytes", transit,
                "albm_cache_transit_limit_bytes", 10.0,
                "albm_cache_evictions_total", 7.0);
    }
}
