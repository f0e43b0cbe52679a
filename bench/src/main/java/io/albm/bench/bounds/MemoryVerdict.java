// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.bounds;

import io.albm.bench.report.BenchReport;
import io.albm.bench.report.BenchReport.Result;
import io.albm.bench.report.BenchReport.Target;
import java.util.List;
import java.util.Map;

/** What was seen against the bounds. */
final class MemoryVerdict {
    private static final double MEBIBYTE = 1 << 20;

    private MemoryVerdict() {}

    /**
     * Of a run.
     *
     * @param processBytes most that the process may have in memory
     */
    static BenchReport of(MemorySamples seen, MixTally tally, double processBytes, Map<String, String> environment) {
        double refusedShare = (double) tally.refusedRequests() / Math.max(1, tally.rightAnswers());
        return new BenchReport(
                List.of(
                        bytes("documents in memory", seen.resident(), seen.capacity(), seen),
                        bytes("memory in transit", seen.transit(), seen.transitLimit(), seen),
                        bytes("process", seen.residentSet(), processBytes, seen)),
                List.of(
                        Target.atMost("documents in memory over their bound", seen.resident() / seen.capacity(), 1),
                        Target.atMost("memory in transit over its bound", seen.transit() / seen.transitLimit(), 1),
                        Target.atMost("process over its bound", seen.residentSet() / processBytes, 1),
                        Target.atLeast("evictions", seen.evictions(), 1_000),
                        Target.atLeast("right answers", (double) tally.rightAnswers(), 1_000),
                        Target.atMost("failed requests", (double) tally.failedRequests(), 0),
                        Target.atMost("refused (503) for each right answer", refusedShare, 0.02),
                        Target.atMost("corrupt bodies", (double) tally.corruptBodies(), 0)),
                environment);
    }

    private static Result bytes(String name, double most, double bound, MemorySamples seen) {
        return Result.of(name, most / MEBIBYTE, bound / MEBIBYTE, "bound", "MiB at most", seen.samples());
    }
}
