// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.caching;

import io.albm.bench.caching.CacheServerProcess.Counted;
import io.albm.bench.load.Answers;
import io.albm.bench.load.Users;
import io.albm.bench.report.Runs;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Lets the distributor's policies take turns with one server and with two, each time with servers that know nothing. */
final class ClusterRuns {
    private static final List<String> POLICIES = List.of(ClusterVerdict.BASELINE, ClusterVerdict.OURS);
    private static final int MOST_SERVERS = 2;

    /** Users begin with a silence. */
    private static final Duration SETTLE = Duration.ofSeconds(2);

    private final CacheCluster cluster;
    private final Users users;
    private final int count;
    private final Duration fill;
    private final Duration run;
    private final Consumer<String> progress;

    /**
     * Of that cluster.
     *
     * @param count user equivalents
     * @param fill time under load before a run counts: the caches begin empty
     * @param run how long it counts
     */
    ClusterRuns(CacheCluster cluster, Users users, int count, Duration fill, Duration run, Consumer<String> progress) {
        this.cluster = cluster;
        this.users = users;
        this.count = count;
        this.fill = fill;
        this.run = run;
        this.progress = progress;
    }

    /** Measures; once. */
    Runs<ClusterCell> run(int rounds) throws IOException, InterruptedException {
        List<ClusterCell> cells = new ArrayList<>();
        for (int round = 1; round <= rounds; round++) {
            for (int servers = 1; servers <= MOST_SERVERS; servers++) {
                for (String policy : POLICIES) {
                    ClusterCell cell = cell(policy, servers, round);
                    cells.add(cell);
                    progress.accept(cell.text());
                }
            }
        }
        return new Runs<>(cells);
    }

    private ClusterCell cell(String policy, int servers, int round) throws IOException, InterruptedException {
        try (CacheCluster.Servers started = cluster.start(servers, policy)) {
            users.load(cluster.http(), count, 0, Duration.ZERO, fill);
            List<Counted> before = started.counted();
            Answers answers = users.load(cluster.http(), count, round, SETTLE, run);
            List<Counted> after = started.counted();
            List<Counted> each = new ArrayList<>();
            for (int i = 0; i < servers; i++) {
                each.add(after.get(i).minus(before.get(i)));
            }
            Counted all = Counted.sum(each);
            double busiest = each.stream().mapToDouble(Counted::requests).max().orElseThrow();
            return new ClusterCell(
                    policy,
                    servers,
                    round,
                    all.objectHitRatio(),
                    all.byteHitRatio(),
                    answers.perSecond(),
                    answers.meanMillis(),
                    busiest / all.requests(),
                    answers.failures());
        }
    }
}
