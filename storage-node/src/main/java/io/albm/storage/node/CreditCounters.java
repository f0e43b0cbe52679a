// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.metrics.Metrics;
import java.util.concurrent.atomic.LongAdder;

/**
 * What became of credit since the node started.
 *
 * @param granted bytes
 * @param expired bytes of these that were not used in time, or whose sender left
 * @param refused blocks that came without credit and were not taken
 */
record CreditCounters(LongAdder granted, LongAdder expired, LongAdder refused) {
    /** Counters that nobody publishes. */
    CreditCounters() {
        this(new LongAdder(), new LongAdder(), new LongAdder());
    }

    static CreditCounters of(Metrics metrics) {
        return new CreditCounters(
                metrics.counter("storage_credit_granted_bytes_total", "Bytes that senders were told they may send."),
                metrics.counter(
                        "storage_credit_expired_bytes_total",
                        "Bytes of those that were not sent in time, or whose sender left."),
                metrics.counter(
                        "storage_credit_refused_blocks_total", "Blocks that came without credit and were not taken."));
    }
}
