// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import io.albm.distributor.routing.Outcome;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** How a backend's requests ended. Counted by all event loops; both totals only grow. */
final class Answers {
    private final LongAdder good = new LongAdder();
    private final LongAdder bad = new LongAdder();
    private final AtomicInteger badInARow = new AtomicInteger();

    void count(Outcome outcome) {
        switch (outcome) {
            case ANSWERED -> {
                good.increment();
                forgiveRow();
            }
            case ERRORED, FAILED -> {
                bad.increment();
                badInARow.incrementAndGet();
            }
            case ABANDONED -> {}
        }
    }

    long good() {
        return good.sum();
    }

    long bad() {
        return bad.sum();
    }

    /** Requests that failed since the last that did not. */
    int badInARow() {
        return badInARow.get();
    }

    /** Counts the row from zero again; only written when it has to be, since every answer comes here. */
    void forgiveRow() {
        if (badInARow.get() != 0) {
            badInARow.set(0);
        }
    }
}
