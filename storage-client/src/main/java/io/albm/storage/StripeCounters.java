// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import java.util.concurrent.atomic.LongAdder;

/** What the redundancy had to do for one client, since it was opened. Thread-safe. */
public final class StripeCounters {
    final LongAdder reconstructed = new LongAdder();
    final LongAdder slow = new LongAdder();
    final LongAdder repaired = new LongAdder();

    StripeCounters() {}

    /** Units made from the others of their stripe. */
    public long reconstructed() {
        return reconstructed.sum();
    }

    /** Units made from the others because their node took too long to answer; they are counted there, too. */
    public long slow() {
        return slow.sum();
    }

    /** Blocks written back to a node that had lost or spoilt them. */
    public long repaired() {
        return repaired.sum();
    }
}
