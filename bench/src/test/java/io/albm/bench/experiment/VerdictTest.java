// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.albm.bench.report.BenchReport;
import io.albm.bench.report.BenchReport.Target;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class VerdictTest {
    private static final Set<String> RIVALS = Set.of("haproxy roundrobin", "haproxy leastconn");

    private static Cell cell(String variant, int clients, int round, double goodput, long failed) {
        return new Cell(variant, clients, round, goodput, 10, 20, 0, failed);
    }

    private static BenchReport verdict(Cell... cells) {
        return Verdict.of(new Measured(List.of(cells), RIVALS), Map.of());
    }

    @Test
    void comparesMediansAtTheHighestLoad() {
        BenchReport report = verdict(
                cell("albm", 6, 1, 1, 0),
                cell("round-robin", 6, 1, 100, 0),
                cell("haproxy roundrobin", 6, 1, 100, 0),
                cell("albm", 36, 1, 240, 0),
                cell("albm", 36, 2, 1, 0),
                cell("albm", 36, 3, 250, 0),
                cell("round-robin", 36, 1, 200, 5),
                cell("haproxy roundrobin", 36, 1, 150, 0),
                cell("haproxy leastconn", 36, 1, 160, 0));
        assertThat(report.targets())
                .extracting(Target::value, Target::ok)
                .containsExactly(tuple(1.2, true), tuple(1.5, true), tuple(0.0, true));
    }

    @Test
    void oneFailedRequestAtAnyLoadMissesTheTarget() {
        BenchReport report = verdict(
                cell("albm", 6, 1, 10, 1),
                cell("albm", 36, 1, 300, 0),
                cell("round-robin", 36, 1, 200, 0),
                cell("haproxy leastconn", 36, 1, 160, 0));
        assertThat(report.targets().getLast()).isEqualTo(Target.atMost("albm failed requests", 1, 0));
        assertThat(report.holds()).isFalse();
    }

    @Test
    void withoutOurPolicyEveryTargetIsMissedWithTheReason() {
        BenchReport report = verdict(cell("round-robin", 36, 1, 200, 0));
        assertThat(report.targets()).hasSize(3).allSatisfy(target -> {
            assertThat(target.ok()).isFalse();
            assertThat(target.reason()).contains("'albm'");
        });
    }
}
