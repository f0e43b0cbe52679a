// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.bench.report.BenchReport.Result;
import io.albm.bench.report.BenchReport.Target;
import org.junit.jupiter.api.Test;

/** A bar holds for every measure of its target, and only against figures that were measured. */
class StorageTargetTest {
    private static final StorageTarget WRITE = target("write-vs-disperse");
    private static final StorageTarget CREATE = target("create-vs-moosefs");

    private final Figures figures = new Figures();

    @Test
    void itsValueIsTheRatioOfMedians() {
        add(Measure.WRITE, "albm", 10, 300, 200);
        add(Measure.WRITE, "gluster-disperse", 1, 100, 900);
        assertThat(WRITE.judge(figures)).isEqualTo(Target.atLeast("write-vs-disperse", 2, 2));
    }

    @Test
    void theLeastRatioOfItsMeasuresCounts() {
        add(Measure.CREATE_1, "albm", 300);
        add(Measure.CREATE_1, "moosefs", 100);
        add(Measure.CREATE_4, "albm", 50);
        add(Measure.CREATE_4, "moosefs", 100);
        assertThat(CREATE.judge(figures)).isEqualTo(Target.atLeast("create-vs-moosefs", 0.5, 1));
    }

    @Test
    void aPeerThatIsNotInstalledMakesItMissed() {
        add(Measure.WRITE, "albm", 300);
        figures.absent("gluster-disperse", "missing glusterd");
        assertThat(WRITE.judge(figures).ok()).isFalse();
        assertThat(WRITE.judge(figures).reason()).contains("gluster-disperse", "missing glusterd");
    }

    @Test
    void ourOwnFailureMakesItMissedWithTheReason() {
        add(Measure.WRITE, "gluster-disperse", 300);
        figures.fail(Measure.WRITE, "albm", "Operation not supported");
        assertThat(WRITE.judge(figures).ok()).isFalse();
        assertThat(WRITE.judge(figures).reason()).contains("albm", "Operation not supported");
    }

    @Test
    void aRunThatFailedDoesNotTouchTheMedianAndIsNoted() {
        add(Measure.READ, "albm", 300, 310);
        add(Measure.READ, "gluster-shard", 100, 110);
        figures.fail(Measure.READ, "gluster-shard", "gluster-shard is not mounted any more");
        assertThat(figures.results()).containsExactly(Result.of("read", 305, 105, "gluster-shard", "MB/s", 2));
        assertThat(figures.notes())
                .containsEntry("read of gluster-shard", "2 runs count: gluster-shard is not mounted any more");
    }

    @Test
    void whatWeCannotDoIsNotedWithTheOthersFigures() {
        add(Measure.RANDOM_WRITE, "ext4", 1000, 2000);
        figures.fail(Measure.RANDOM_WRITE, "albm", "Operation not supported");
        assertThat(figures.results()).isEmpty();
        assertThat(figures.notes())
                .containsEntry(
                        "random-write-4k of albm", "0 runs count: Operation not supported; the others: ext4 1500 /s");
    }

    private static StorageTarget target(String name) {
        return StorageTarget.ALL.stream()
                .filter(target -> target.target().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private void add(Measure measure, String contender, double... values) {
        for (double value : values) {
            figures.add(measure, contender, value);
        }
    }
}
