// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import java.time.Duration;
import java.util.List;

/**
 * How long the experiment is.
 *
 * @param clients how many ask at a time, in steps; the last is the highest load
 * @param settle time under load before a run counts
 * @param run length of a run
 * @param rounds runs of each variant at the highest load; below it there is one
 */
record Plan(List<Integer> clients, Duration settle, Duration run, int rounds) {
    /** Threads of each client, each with a request of its own: load tools of the time did the same. */
    static final int THREADS_PER_CLIENT = 6;

    Plan {
        clients = List.copyOf(clients);
    }

    static Plan full() {
        return new Plan(List.of(1, 6, 12, 18, 24, 30, 36), Duration.ofSeconds(4), Duration.ofSeconds(6), 3);
    }

    static Plan quick() {
        return new Plan(List.of(6, 18, 36), Duration.ofSeconds(2), Duration.ofSeconds(4), 1);
    }

    /** The same with other numbers of clients. */
    Plan with(List<Integer> others) {
        return new Plan(others, settle, run, rounds);
    }

    int highest() {
        return clients.getLast();
    }
}
