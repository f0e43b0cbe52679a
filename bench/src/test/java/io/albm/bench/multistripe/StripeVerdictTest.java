// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.multistripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.albm.bench.report.BenchReport;
import io.albm.bench.report.BenchReport.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StripeVerdictTest {
    private static final Scene ONE_PORT = new Scene(1, 100, 64, Load.NONE, 20 << 20, 3);
    private static final Scene LOADED = new Scene(1, 100, 64, Load.MOST, 2 << 20, 3);
    private static final Scene ALL_TO_ALL = new Scene(16, 25, 64, Load.NONE, 4 << 20, 3);

    @Test
    void everySchemeIsHeldAgainstPlainTcpByTheMediansOfItsRounds() {
        List<StripeCell> cells = List.of(
                cell(ONE_PORT, PlainTcp.NAME, 27),
                cell(ONE_PORT, PlainTcp.NAME, 90),
                cell(ONE_PORT, PlainTcp.NAME, 27),
                cell(ONE_PORT, "staggered", 28),
                cell(ONE_PORT, "staggered", 10),
                cell(ONE_PORT, "staggered", 99),
                cell(ONE_PORT, "coordinated", 30));
        BenchReport report = StripeVerdict.of(cells, Map.of());
        assertThat(target(report, "staggered's time over plain TCP's").ok()).isTrue();
        assertThat(target(report, "staggered's time over plain TCP's").value()).isCloseTo(28.0 / 27, within(1e-9));
        assertThat(target(report, "coordinated's time over plain TCP's").ok()).isFalse();
    }

    @Test
    void barsOfTheCreditWindowAppearWithIt() {
        List<StripeCell> cells = new ArrayList<>(List.of(
                cell(ALL_TO_ALL, PlainTcp.NAME, 1.6),
                cell(ALL_TO_ALL, Scheme.ALL_AT_ONCE, 2.4),
                cell(ALL_TO_ALL, Scheme.FOUR, 5.4),
                cell(ALL_TO_ALL, Scheme.ONE_BY_ONE, 20),
                cell(LOADED, PlainTcp.NAME, 5),
                cell(LOADED, Scheme.MULTISTRIPED, 8)));
        assertThat(StripeVerdict.of(cells, Map.of()).targets())
                .extracting(Target::name)
                .noneMatch(name -> name.contains(Scheme.POLITE));

        cells.add(cell(ALL_TO_ALL, Scheme.FAST, 1.7));
        cells.add(cell(LOADED, Scheme.FAST, 5));
        BenchReport report = StripeVerdict.of(cells, Map.of());
        assertThat(target(report, "share of the bisection").value())
                .isCloseTo(ALL_TO_ALL.idealSeconds() / 1.7, within(1e-9));
        assertThat(target(report, Scheme.FOUR + "'s time over " + Scheme.FAST).ok())
                .isTrue();
        assertThat(target(report, Scheme.ALL_AT_ONCE + "'s time over " + Scheme.FAST)
                        .ok())
                .isTrue();
        assertThat(target(report, Scheme.MULTISTRIPED + "'s time over " + Scheme.FAST)
                        .value())
                .isEqualTo(1.6);
        assertThat(target(report, "best fixed").value()).isCloseTo(1.7 / 2.4, within(1e-9));
    }

    @Test
    void whatWasNotMeasuredIsMissed() {
        List<StripeCell> cells = List.of(cell(LOADED, PlainTcp.NAME, 5), cell(LOADED, Scheme.FAST, 5));
        BenchReport report = StripeVerdict.of(cells, Map.of());
        assertThat(target(report, "share of the bisection")).satisfies(target -> {
            assertThat(target.ok()).isFalse();
            assertThat(target.reason()).contains("not measured");
        });
    }

    @Test
    void figuresAreOfThePapersPort() {
        List<StripeCell> cells =
                List.of(cell(ONE_PORT, "staggered", 20), cell(LOADED, "staggered", 8), cell(ALL_TO_ALL, "other", 1));
        assertThat(StripeVerdict.figure3(cells)).contains("staggered").doesNotContain("other");
        assertThat(StripeVerdict.figure4(cells)).contains("staggered").doesNotContain("other");
    }

    @Test
    void groupSizesAreSharesOfAllChoices() {
        GroupSizes.Row row = GroupSizes.Row.of(40, List.of(16, 8, 8, 4));
        assertThat(row.text()).isEqualTo("16: 25 %, 8: 50 %, 4: 25 %");
        assertThat(GroupSizes.csv(List.of(row)).lines())
                .containsExactly(GroupSizes.Row.HEADER, "40,16,25.0", "40,8,50.0", "40,4,25.0");
    }

    private static StripeCell cell(Scene scene, String scheme, double seconds) {
        return new StripeCell(scene, scheme, 1, 16, seconds, 1, 1000, 10, 0.5, 5);
    }

    private static Target target(BenchReport report, String part) {
        return report.targets().stream()
                .filter(target -> target.name().contains(part))
                .findFirst()
                .orElseThrow();
    }
}
