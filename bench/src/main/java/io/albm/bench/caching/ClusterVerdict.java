// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.caching;

import io.albm.bench.report.BenchReport;
import io.albm.bench.report.BenchReport.Result;
import io.albm.bench.report.BenchReport.Target;
import io.albm.bench.report.Runs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** What the runs say: with a second server, does it pay to send each document's requests to one of them? */
final class ClusterVerdict {
    static final String OURS = "bounded-load-hash";
    static final String BASELINE = "round-robin";
    private static final double MORE_HITS = 1.05;

    private final Runs<ClusterCell> runs;

    private ClusterVerdict(Runs<ClusterCell> runs) {
        this.runs = runs;
    }

    static BenchReport of(Runs<ClusterCell> runs, Map<String, String> environment) {
        ClusterVerdict verdict = new ClusterVerdict(runs);
        return new BenchReport(verdict.results(), verdict.targets(), environment);
    }

    private List<Result> results() {
        List<Result> results = new ArrayList<>();
        for (int servers : runs.loads()) {
            results.add(result(servers, "object hit ratio", ClusterCell::objectHitRatio));
            results.add(result(servers, "byte hit ratio", ClusterCell::byteHitRatio));
            results.add(result(servers, "requests/s", ClusterCell::requestsPerSecond));
            results.add(result(servers, "ms mean", ClusterCell::meanMillis));
        }
        return results;
    }

    private Result result(int servers, String unit, ToDoubleFunction<ClusterCell> figure) {
        return runs.against(BASELINE, OURS, servers, "%s, %d server(s)".formatted(OURS, servers), unit, figure);
    }

    private List<Target> targets() {
        int most = runs.loads().getLast();
        return List.of(
                Target.atLeast(
                        "object hit ratio over round-robin, %d servers".formatted(most),
                        hitRatio(OURS, most) / hitRatio(BASELINE, most),
                        MORE_HITS),
                Target.atMost(
                        "failed requests",
                        (double) runs.cells().stream()
                                .mapToLong(ClusterCell::failed)
                                .sum(),
                        0));
    }

    private double hitRatio(String policy, int servers) {
        return runs.median(policy, servers, ClusterCell::objectHitRatio);
    }
}
