// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.bounds;

import java.util.Map;
import java.util.TreeMap;

/** What became of the requests. Thread-safe. */
final class MixTally {
    private final Map<String, Integer> failures = new TreeMap<>();
    private long right;
    private long refused;
    private long corrupt;
    private long bytes;

    /** An answer of which every byte that was taken was right. */
    synchronized void right(long taken) {
        right++;
        bytes += taken;
    }

    /** 503: a bound was reached, and the server said so. */
    synchronized void refused() {
        refused++;
    }

    /** A wrong byte. */
    synchronized void corrupt(String what) {
        corrupt++;
        failures.merge("corrupt: " + what, 1, Integer::sum);
    }

    /** No answer, or not the one that was asked for. */
    synchronized void failed(String why) {
        failures.merge(why, 1, Integer::sum);
    }

    synchronized long rightAnswers() {
        return right;
    }

    synchronized long takenBytes() {
        return bytes;
    }

    synchronized long refusedRequests() {
        return refused;
    }

    synchronized long corruptBodies() {
        return corrupt;
    }

    /** Neither right nor refused, wrong bytes left out. */
    synchronized long failedRequests() {
        return failures.values().stream().mapToLong(Integer::longValue).sum() - corrupt;
    }

    /** By what was wrong. */
    synchronized Map<String, Integer> failures() {
        return Map.copyOf(failures);
    }
}
