// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.caching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.albm.bench.caching.CacheServerProcess.Counted;
import io.albm.bench.report.BenchReport.Target;
import io.albm.bench.report.Runs;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterVerdictTest {
    @Test
    void comparesHitRatiosWithTheMostServers() {
        var runs = new Runs<>(List.of(
                cell("round-robin", 1, 0.5),
                cell("bounded-load-hash", 1, 0.5),
                cell("round-robin", 2, 0.5),
                cell("bounded-load-hash", 2, 0.6)));
        assertThat(ClusterVerdict.of(runs, Map.of()).targets())
                .extracting(Target::value, Target::ok)
                .containsExactly(tuple(1.2, true), tuple(0.0, true));
    }

    @Test
    void aClustersHitRatioIsThatOfAllItsRequests() {
        Counted one = new Counted(100, 10, 1000, 500);
        Counted other = new Counted(300, 110, 1000, 100);
        assertThat(Counted.sum(List.of(one, other)).objectHitRatio()).isEqualTo(0.7);
        assertThat(Counted.sum(List.of(one, other)).byteHitRatio()).isEqualTo(0.7);
        assertThat(other.minus(one).objectHitRatio()).isEqualTo(0.5);
    }

    private static ClusterCell cell(String policy, int servers, double hits) {
        return new ClusterCell(policy, servers, 1, hits, hits, 100, 10, 1.0 / servers, 0);
    }
}
