// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import java.util.concurrent.atomic.LongAdder;

/** How far a scrub has come, for who waits for it: what was done, whether it counts in the end or not. Thread-safe. */
final class ScrubMeter {
    private final LongAdder total = new LongAdder();
    private final LongAdder checked = new LongAdder();
    private final LongAdder repaired = new LongAdder();
    private final LongAdder repairedBytes = new LongAdder();
    private final ScrubProgress.Listener listener;

    /** @param total blocks to look at, as far as is known */
    ScrubMeter(long total, ScrubProgress.Listener listener) {
        this.total.add(total);
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
}
