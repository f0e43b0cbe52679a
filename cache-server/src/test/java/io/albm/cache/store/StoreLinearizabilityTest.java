// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import java.time.Duration;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Test;

/**
 * Requests, operators and observers at once: whatever the order in which they are seen, there must be one, one after the
 * other, that gives the same answers, so that window, index, policy and ledger look like one thing that changes at once.
 * The policy evicts by recency, which makes what is resident a matter of the order alone.
 */
public class StoreLinearizabilityTest extends StoreOperations {

    /** Made anew by Lincheck for every run. */
    public StoreLinearizabilityTest() {
        super(Duration.ofHours(1), "window-lru");
    }

    @Operation
    public int residents() {
        return store.residents();
    }

    @Operation
    public long residentBytes() {
        return store.residentBytes();
    }

    @Test
    void requestsAndOperatorsSeeOneStore() {
        check(StoreLinearizabilityTest.class);
    }
}
