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

/**
 * Lets all policies take turns at each number of users, so that the machine's moods hit all alike. In the same round all
 * are asked by the same users.
 */
final class WindowRuns {
    private final List<Contender> servers;
    private final Users users;
    private final SlowDisk disk;
    private final WindowPlan plan;
    private final Consumer<String> progress;

    WindowRuns(List<Contender> servers, Users users, SlowDisk disk, WindowPlan plan, Consumer<String> progress) {
        this.servers = List.copyOf(servers);
        this.users = users;
        this.disk = disk;
        this.plan = plan;
        this.progress = progress;
    }

    /** A cache server with a policy. */
    record Contender(String policy, CacheServerProcess server) {}

    /** Measures; once. */
    Runs<WindowCell> run() throws IOException, InterruptedException {
        for (Contender contender : servers) {
            users.load(contender.server().http(), plan.highestLoad(), 0, Duration.ZERO, plan.fill());
        }
        List<WindowCell> cells = new ArrayList<>();
        for (int load : plan.users()) {
            for (int round = 1; round <= plan.roundsAt(load); round++) {
                for (Contender contender : servers) {
                    WindowCell cell = cell(contender, load, round);
                    cells.add(cell);
                    progress.accept(cell.text());
                }
            }
        }
        return new Runs<>(cells);
    }

    private WindowCell cell(Contender contender, int load, int round) throws IOException, InterruptedException {
        Counted before = contender.server().counted();
        long readsBefore = disk.reads();
        long began = System.nanoTime();
        Answers answers = users.load(contender.server().http(), load, round, plan.settle(), plan.run());
        double seconds = (System.nanoTime() - began) / 1e9;
        Counted counted = contender.server().counted().minus(before);
        return new WindowCell(
                contender.policy(),
                load,
                round,
                answers.perSecond(),
                answers.meanMillis(),
                answers.millisAt(99),
                counted.objectHitRatio(),
                counted.byteHitRatio(),
                (disk.reads() - readsBefore) / seconds,
                answers.failures());
    }
}
