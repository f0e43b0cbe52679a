// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.LongAdder;

/** Counts what a scrub finds, on whatever threads its blocks' answers arrive. */
final class ScrubTally {
    final LongAdder files = new LongAdder();
    final LongAdder missing = new LongAdder();
    final LongAdder corrupt = new LongAdder();
    final LongAdder orphans = new LongAdder();
    final LongAdder crowded = new LongAdder();
    final Set<NodeId> unreachable = new ConcurrentSkipListSet<>();

    private final LongAdder total = new LongAdder();
    private final LongAdder checked = new LongAdder();
    private final LongAdder repaired = new LongAdder();
    private final LongAdder repairedBytes = new LongAdder();
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    private final ScrubProgress.Listener listener;

    /** @param total blocks to look at, as far as is known */
    ScrubTally(long total, ScrubProgress.Listener listener) {
        expect(total);
        this.listener = listener;
    }

    /** So many more blocks are to be looked at. */
    void expect(long blocks) {
        total.add(blocks);
    }

    void checked() {
        checked.increment();
        listener.progress(new ScrubProgress(checked.sum(), total.sum(), repaired.sum(), repairedBytes.sum()));
    }

    void repaired(int bytes) {
        repaired.increment();
        repairedBytes.add(bytes);
    }

    /**
     * Later failures than the report can hold are not kept: the first ones say what is wrong.
     *
     * @param what could not be done wholly, as the path of a file; the failure itself may not know
     */
    void failed(String what, Throwable failure) {
        if (failures.size() < ScrubReport.MAX_FAILURES) {
            String why = String.valueOf(failure.getMessage());
            failures.add(why.startsWith(what + ":") ? why : what + ": " + why);
        }
    }

    ScrubReport report() {
        return new ScrubReport(
                files.sum(),
                checked.sum(),
                missing.sum(),
                corrupt.sum(),
                repaired.sum(),
                repairedBytes.sum(),
                orphans.sum(),
                crowded.sum(),
                List.copyOf(unreachable),
                List.copyOf(failures));
    }
}
