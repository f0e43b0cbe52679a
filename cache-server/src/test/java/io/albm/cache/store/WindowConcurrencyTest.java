// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import io.albm.cache.source.DocumentPath;
import java.time.Duration;
import java.util.List;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;

/**
 * The window under the policy that relies on it most: every request enters it, waits there for a look at its file, and
 * leaves it, alone or with all that joined it, while documents change, others are admitted, and operators purge, resize and
 * change the policy. Which document is evicted depends on who waits at that moment, so residents are not looked at: every
 * request must get its document, and nobody may be left in the window.
 */
public class WindowConcurrencyTest extends StoreOperations {

    private static final List<String> POLICIES = List.of("window-aware", "window-lru");

    /** Made anew by Lincheck for every run. */
    public WindowConcurrencyTest() {
        super(Duration.ZERO, POLICIES.getFirst());
    }

    @Operation
    public void replaceFile(@Param(name = "document") int document) {
        replace(document);
    }

    @Operation
    public void changePolicy(@Param(name = "policy") int policy) {
        store.control().changePolicy(POLICIES.get(policy));
    }

    /** A client that goes away does not wait for the answer. */
    @Operation
    public void requestAndForget(@Param(name = "document") int document) {
        forgotten.incrementAndGet();
        store.request(new DocumentPath("/" + document), outcome -> {
            ((Outcome.Found) outcome).document().release();
            forgotten.decrementAndGet();
        });
    }

    @Test
    void everyRequestLeavesTheWindowThatItEntered() {
        check(WindowConcurrencyTest.class);
    }
}
