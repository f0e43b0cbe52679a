// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a supervisor has to report on one checkpoint, in the order in which it happened. A coordinator is told what it has not
 * heard yet, so that a rank's report costs both sides once, not at every tick; a lost answer is made good by the next one,
 * since the coordinator then still says that it has not heard of it. Not thread-safe.
 */
final class Reports {
    /** In one answer: it has to fit into a frame, and a new leader hears of all ranks at once. */
    static final int MOST = 1000;

    private sealed interface Report {
        record Begun(int rank, long step) implements Report {}

        record Saved(int rank, LocalCopy copy) implements Report {}

        record Stored(StoredUnit unit) implements Report {}
    }

    private final long log;
    private final List<Report> all = new ArrayList<>();

    /** @param log not 0, and that of no other reports, whoever makes them */
    Reports(long log) {
        this.log = log;
    }

    void begun(int rank, long step) {
        all.add(new Report.Begun(rank, step));
    }

    void saved(int rank, LocalCopy copy) {
        all.add(new Report.Saved(rank, copy));
    }

    void stored(StoredUnit unit) {
        all.add(new Report.Stored(unit));
    }

    /** What comes after that, at most {@value #MOST} reports; all from the beginning if that was said of other ones. */
    Answer.Progress after(Heard heard) {
        boolean isOfThese = heard.log() == log && heard.reports() <= all.size();
        int from = isOfThese ? heard.reports() : 0;
        int to = Math.min(all.size(), from + MOST);
        Map<Integer, Long> begun = new HashMap<>();
        Map<Integer, LocalCopy> saved = new HashMap<>();
        Map<Integer, StoredUnit> stored = new HashMap<>();
        for (Report report : all.subList(from, to)) {
            switch (report) {
                case Report.Begun(int rank, long step) -> begun.put(rank, step);
                case Report.Saved(int rank, LocalCopy copy) -> saved.put(rank, copy);
                case Report.Stored(StoredUnit unit) -> stored.put(unit.rank(), unit);
            }
        }
        return new Answer.Progress(from, new Heard(log, to), to < all.size(), begun, saved, stored);
    }
}
