// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.caching;

import java.time.Duration;
import java.util.List;

/**
 * How long the experiment is.
 *
 * @param users user equivalents, in steps; the last is the highest load
 * @param fill how long each server is loaded before all runs, so that none begins with an empty cache
 * @param settle time under load before a run counts
 * @param run how long it counts
 * @param rounds runs of each policy at the highest load; below it there is one
 */
record WindowPlan(List<Integer> users, Duration fill, Duration settle, Duration run, int rounds) {
    WindowPlan {
        users = List.copyOf(users);
    }

    /** The paper's steps. */
    static WindowPlan full() {
        return new WindowPlan(
                List.of(250, 300, 350, 400), Duration.ofSeconds(20), Duration.ofSeconds(6), Duration.ofSeconds(22), 3);
    }

    static WindowPlan quick() {
        return new WindowPlan(
                List.of(250, 400), Duration.ofSeconds(6), Duration.ofSeconds(2), Duration.ofSeconds(8), 1);
    }

    /** The same with other numbers of users. */
    WindowPlan with(List<Integer> others) {
        return new WindowPlan(others, fill, settle, run, rounds);
    }

    int highestLoad() {
        return users.getLast();
    }

    int roundsAt(int load) {
        return load == highestLoad() ? rounds : 1;
    }
}
