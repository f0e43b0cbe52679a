// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.bench.report.BenchReport.Result;
import io.albm.bench.report.BenchReport.Target;
import io.albm.core.cli.CliException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What bonnie++ 2.00a says, as it said it, and what becomes of it beside the paper's tables. */
class BonnieTest {
    private static final String OUTPUT = """
            1.98,2.00a,host,1,1795388237,64M,,8192,5,,,25804,20,7093,5,,,+++++,+++,131.2,3,4,,,,,173,11,+++++,+++,2884,9,\
            4076,20,+++++,+++,538,12,,11523us,21400us,,11411us,162ms,77185us,10916us,24257us,174ms,3948us,20061us
            """;

    private final Figures figures = new Figures();

    @Test
    void eachRateIsReadFromItsField() {
        String[] fields = Bonnie.fields(OUTPUT);
        assertThat(BonnieMetric.WRITE.of(fields)).contains(25_804.0);
        assertThat(BonnieMetric.REWRITE.of(fields)).contains(7_093.0);
        assertThat(BonnieMetric.SEEKS.of(fields)).contains(131.2);
        assertThat(BonnieMetric.CREATE.of(fields)).contains(173.0);
        assertThat(BonnieMetric.DELETE.of(fields)).contains(2_884.0);
        assertThat(BonnieMetric.RANDOM_CREATE.of(fields)).contains(4_076.0);
        assertThat(BonnieMetric.RANDOM_DELETE.of(fields)).contains(538.0);
    }

    @Test
    void aRateThatItDoesNotTellIsNoFigure() {
        assertThat(BonnieMetric.READ.of(Bonnie.fields(OUTPUT))).isEmpty();
    }

    @Test
    void whatIsNoResultIsRefusedWithItsWords() {
        assertThatThrownBy(() -> Bonnie.fields("Can't open file ./Bonnie.77"))
                .isInstanceOf(CliException.class)
                .hasMessageContaining("Can't open file");
    }

    @Test
    void ourShareOfTheDiskStandsBesideThePapers() {
        figures.add(BonnieMetric.WRITE, "albm", 500);
        figures.add(BonnieMetric.WRITE, "ext4", 1000);
        assertThat(new BonnieTables(figures, "ext4").report(Map.of()).results())
                .contains(
                        Result.of("block write, share", 0.5, 23_761 / 25_804.0, "PVFS in P5", "of the local disk", 1),
                        Result.of("block write, share", 0.5, 7_745 / 25_804.0, "NFS in P5", "of the local disk", 1));
    }

    @Test
    void rewritesAreHeldToTheirBars() {
        figures.add(BonnieMetric.REWRITE, "albm", 450);
        figures.add(BonnieMetric.REWRITE, "gluster-shard", 300);
        figures.add(BonnieMetric.REWRITE, "moosefs", 100);
        assertThat(new BonnieTables(figures, "ext4").report(Map.of()).targets())
                .containsExactly(
                        Target.atLeast("rewrite-vs-shard", 1.5, 1), Target.atLeast("rewrite-vs-moosefs", 4.5, 5));
    }

    @Test
    void theChartHasABarForEachShare() {
        figures.add(BonnieMetric.WRITE, "albm", 500);
        figures.add(BonnieMetric.WRITE, "ext4", 1000);
        String chart = new BonnieTables(figures, "ext4").chart();
        int papersBars = 2 * BonnieMetric.values().length;
        int legend = 3;
        int background = 1;
        assertThat(chart.split("<rect ", -1)).hasSize(1 + background + 1 + papersBars + legend);
    }
}
