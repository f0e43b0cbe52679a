// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.bench.job.JobResult;
import io.albm.bench.load.FailureKind;
import io.albm.bench.load.LoadReport;
import io.albm.storage.ScrubReport;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class CheckTest {
    private static final LoadReport LOAD = load(Map.of());
    private static final JobResult JOB = new JobResult("abc", 3, 1, 700);
    private static final RebuildResult REBUILT = new RebuildResult(10, true, 5);
    private static final ScrubReport CLEAN = scrub(0, 0, 0);

    @Test
    void allHoldWhenNothingWentWrong() {
        assertThat(broken(LOAD, "abc", JOB, true, REBUILT, CLEAN, List.of())).isEmpty();
    }

    @Test
    void everyKindOfFailureBreaksTheCheckThatIsAboutIt() {
        assertThat(broken(load(Map.of(FailureKind.CUT, 1L)), "abc", JOB, true, REBUILT, CLEAN, List.of()))
                .containsExactly("requests");
        assertThat(broken(load(Map.of(FailureKind.WRONG_BODY, 1L)), "abc", JOB, true, REBUILT, CLEAN, List.of()))
                .containsExactly("bodies");
        assertThat(broken(LOAD, "abd", JOB, true, REBUILT, CLEAN, List.of())).containsExactly("hash");
        assertThat(broken(LOAD, "abc", new JobResult("abc", 3, 0, 0), true, REBUILT, CLEAN, List.of()))
                .containsExactly("rollback");
        assertThat(broken(LOAD, "abc", JOB, false, REBUILT, CLEAN, List.of())).containsExactly("degraded-read");
        assertThat(broken(LOAD, "abc", JOB, true, new RebuildResult(9, false, 5), CLEAN, List.of()))
                .containsExactly("rebuild");
        assertThat(broken(LOAD, "abc", JOB, true, REBUILT, scrub(0, 1, 1), List.of()))
                .containsExactly("scrub");
        assertThat(broken(LOAD, "abc", JOB, true, REBUILT, CLEAN, List.of("1 java")))
                .containsExactly("processes");
    }

    @Test
    void seeingNothingIsNoSuccess() {
        LoadReport nothing = new LoadReport(0, 0, Map.of(), List.of(), 0, 0, 0);
        ScrubReport empty = new ScrubReport(0, 0, 0, 0, 0, 0, 0, 0, List.of(), List.of());

        assertThat(broken(
                        nothing,
                        "",
                        new JobResult("", 0, 0, 0),
                        false,
                        new RebuildResult(0, true, 5),
                        empty,
                        List.of()))
                .containsExactly("requests", "bodies", "hash", "rollback", "degraded-read", "rebuild", "scrub");
    }

    private static List<String> broken(
            LoadReport load,
            String undisturbed,
            JobResult job,
            boolean read,
            RebuildResult rebuild,
            ScrubReport scrub,
            List<String> left) {
        Evidence evidence = new Evidence(load, 0, undisturbed, job, read, rebuild, scrub, left);
        return Check.all(evidence).stream()
                .filter(check -> !check.ok())
                .map(Check::name)
                .toList();
    }

    private static LoadReport load(Map<FailureKind, Long> failures) {
        return new LoadReport(100, 1000, failures, List.of(), 1, 2, 3);
    }

    private static ScrubReport scrub(long missing, long corrupt, long repaired) {
        return new ScrubReport(5, 50, missing, corrupt, repaired, repaired, 0, 0, List.of(), List.of());
    }
}
