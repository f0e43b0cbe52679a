// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.cache.store.StoreStats;
import java.util.concurrent.atomic.LongAdder;

/** What a cache in front of an origin counts. Written with adders, read by metrics. */
public final class OriginStats {

    final LongAdder hits;
    final LongAdder stale;
    final LongAdder misses;
    final LongAdder validations;
    final LongAdder validated;
    final LongAdder coalesced;
    final LongAdder passed;
    final LongAdder stored;
    final LongAdder invalidations;
    final LongAdder errors;

    public OriginStats(StoreStats.Counters counters) {
        hits = counters.counter(
                "origin_hits_total", "Requests answered by a stored response without asking the origin.");
        stale = counters.counter(
                "origin_stale_total",
                "Requests answered by a stale response: while it is validated, or for an origin that failed.");
        misses = counters.counter("origin_misses_total", "Requests that no stored response matched.");
        validations = counters.counter("origin_validations_total", "Stored responses that the origin was asked about.");
        validated = counters.counter("origin_validated_total", "Stored responses that the origin said are current.");
        coalesced = counters.counter("origin_coalesced_total", "Requests that waited for another one's response.");
        passed = counters.counter("origin_passed_total", "Requests passed on that no stored response may answer.");
        stored = counters.counter("origin_stored_total", "Responses stored.");
        invalidations =
                counters.counter("origin_invalidations_total", "Unsafe requests that made stored responses void.");
        errors = counters.counter("origin_errors_total", "Requests that the origin did not answer, or not wholly.");
    }

    public long hits() {
        return hits.sum();
    }

    public long stale() {
        return stale.sum();
    }

    public long misses() {
        return misses.sum();
    }

    public long validations() {
        return validations.sum();
    }

    public long validated() {
        return validated.sum();
    }

    public long coalesced() {
        return coalesced.sum();
    }

    public long passed() {
        return passed.sum();
    }

    public long stored() {
        return stored.sum();
    }

    public long invalidations() {
        return invalidations.sum();
    }

    public long errors() {
        return errors.sum();
    }
}
