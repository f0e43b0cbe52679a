// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import java.time.Duration;
import java.util.List;

/**
 * How long the experiment is.
 *
 * @param clients how many ask at a time, in steps; the last is the highest load
 * @param warmUp pace of what each variant is asked before all runs
 * @param below pace of runs below the highest load, of which each variant makes one
 * @param highest pace of runs at the highest load
 * @param rounds runs of each variant at the highest load
 */
record Plan(List<Integer> clients, Pace warmUp, Pace below, Pace highest, int rounds) {
    /** Threads of each client, each with a request of its own: load tools of the time did the same. */
    static final int THREADS_PER_CLIENT = 6;

    /**
     * One run.
     *
     * @param settle time under load before it counts
     * @param run how long it counts
     */
    record Pace(Duration settle, Duration run) {
        static Pace ofSeconds(int settle, int run) {
            return new Pace(Duration.ofSeconds(settle), Duration.ofSeconds(run));
        }
    }

    Plan {
        clients = List.copyOf(clients);
    }

    static Plan full() {
        return new Plan(
                List.of(1, 6, 12, 18, 24, 30, 36), Pace.ofSeconds(0, 4), Pace.ofSeconds(2, 3), Pace.ofSeconds(6, 8), 3);
    }

    static Plan quick() {
        return new Plan(List.of(12, 24, 36), Pace.ofSeconds(0, 2), Pace.ofSeconds(1, 2), Pace.ofSeconds(4, 7), 1);
    }

    /** The same with other numbers of clients. */
    Plan with(List<Integer> others) {
        return new Plan(others, warmUp, below, highest, rounds);
    }

    int highestLoad() {
        return clients.getLast();
    }

    Pace at(int load) {
        return load == highestLoad() ? highest : below;
    }
}
