// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.caching;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.albm.bench.report.BenchReport;
import io.albm.bench.report.BenchReport.Target;
import io.albm.bench.report.Runs;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class WindowVerdictTest {
    private static final Optional<String> SLOW = Optional.empty();

    @Test
    void comparesRequestsAtTheHighestLoadAndResponseTimesAtEvery() {
        BenchReport report = verdict(
                SLOW,
                cell("lru", 250, 1, 100, 50),
                cell("window-aware", 250, 1, 101, 60),
                cell("lru", 400, 1, 100, 100),
                cell("lru", 400, 2, 1, 1),
                cell("lru", 400, 3, 110, 110),
                cell("window-aware", 400, 1, 120, 50));
        assertThat(report.targets())
                .extracting(Target::name, Target::value, Target::ok)
                .containsExactly(
                        tuple("requests/s over lru, 400 users", 1.2, true),
                        tuple("lru's response time over ours, 250 users", 50 / 60.0, false),
                        tuple("lru's response time over ours, 400 users", 2.0, true),
                        tuple("failed requests", 0.0, true));
    }

    @Test
    void nothingIsReachedOnADiskThatIsNotSlow() {
        BenchReport report = verdict(
                Optional.of("as fast as it is"), cell("lru", 400, 1, 1, 100), cell("window-aware", 400, 1, 2, 50));
        assertThat(report.targets()).hasSize(2).allSatisfy(target -> {
            assertThat(target.ok()).isFalse();
            assertThat(target.reason()).contains("as fast as it is");
        });
    }

    @Test
    void withoutOurPolicyEveryTargetIsMissedWithTheReason() {
        assertThat(verdict(SLOW, cell("lru", 400, 1, 1, 100)).targets())
                .allSatisfy(target -> assertThat(target.reason()).contains("window-aware"));
    }

    @Test
    void figuresHaveALineForEachPolicy() {
        var runs = new Runs<>(List.of(cell("lru", 250, 1, 1, 2), cell("window-aware", 250, 1, 3, 4)));
        assertThat(WindowVerdict.figure6(runs)).contains(">lru<", ">window-aware<", "<polyline");
        assertThat(WindowVerdict.figure7(runs)).contains("response time");
        assertThat(runs.csv(WindowCell.HEADER).lines())
                .hasSize(3)
                .endsWith("window-aware,250,1,3.00,4.0,8.0,0.5000,0.2500,90.0,0");
    }

    private static BenchReport verdict(Optional<String> whyNotSlow, WindowCell... cells) {
        return WindowVerdict.of(new Runs<>(List.of(cells)), whyNotSlow, Map.of());
    }

    private static WindowCell cell(String policy, int users, int round, double requests, double millis) {
        return new WindowCell(policy, users, round, requests, millis, 2 * millis, 0.5, 0.25, 90, 0);
    }
}
