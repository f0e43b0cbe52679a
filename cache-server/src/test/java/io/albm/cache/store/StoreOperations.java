// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import static org.awaitility.Awaitility.await;

import io.albm.cache.source.DocumentPath;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Tag;

/**
 * What clients and operators do to a store, for Lincheck, which runs them side by side. Three documents of different sizes,
 * of which not all fit, tell the orders of what was done apart by what is resident.
 */
@Param(name = "document", gen = IntGen.class, conf = "1:3")
@Param(name = "capacity", gen = IntGen.class, conf = "3:5")
@Param(name = "policy", gen = IntGen.class, conf = "0:1")
@Tag("lincheck")
public abstract class StoreOperations {

    private static final int CAPACITY = 4000;
    private static final int DOCUMENTS = 3;

    private final FakeSource source = new FakeSource();
    final DocumentStore store;

    /** Requests that nobody waits for; those beyond the window's limit stand in no other count. */
    final AtomicInteger forgotten = new AtomicInteger();

    /**
     * @param checkInterval zero has every request wait in the window for a look at its file
     */
    StoreOperations(Duration checkInterval, String policy) {
        for (int document = 1; document <= DOCUMENTS; document++) {
            source.put("/" + document, new byte[document * 1000]);
        }
        store = source.store(
                new StoreSettings(CAPACITY, policy, 2, 2, 100, checkInterval, Duration.ofSeconds(10)), () -> 0);
    }

    @Operation
    public int request(@Param(name = "document") int document) {
        CompletableFuture<Outcome> answer = new CompletableFuture<>();
        store.request(new DocumentPath("/" + document), answer::complete);
        Document found = ((Outcome.Found) answer.join()).document();
        int bytes = found.content().readableBytes();
        found.release();
        return bytes;
    }

    @Operation
    public long purge(@Param(name = "document") int document) throws InterruptedException {
        return store.control()
                .purge(path -> path.value().equals("/" + document))
                .left();
    }

    @Operation
    public boolean resize(@Param(name = "capacity") int thousands) throws InterruptedException {
        return store.control().resize(thousands * 1000L);
    }

    /** The document is another one of the same size from now on. */
    void replace(int document) {
        source.put("/" + document, new byte[document * 1000]);
    }

    /**
     * Once all have their answers nothing waits and nothing is in transit, the books agree with the index, and the policy
     * evicts what is in the index, no less and no more.
     */
    @Validate
    public void leavesNothingBehind() throws InterruptedException {
        await().atMost(Duration.ofSeconds(5))
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> forgotten.get() == 0 && store.windowOccupancy() == 0 && store.transitBytes() == 0);
        long kept = store.control().first(DOCUMENTS, Comparator.comparing(ResidentControl.Kept::name)).stream()
                .mapToLong(ResidentControl.Kept::bytes)
                .sum();
        MemoryLedger.Balance books = store.memory();
        if (books.resident() != kept || !store.control().resize(0) || store.residents() > 0) {
            throw new IllegalStateException(
                    "books %s, resident documents had %d bytes, %d are left after a resize to nothing"
                            .formatted(books, kept, store.residents()));
        }
        store.close();
    }

    /** Looks for an order, one after the other, that gives what was seen. */
    static void check(Class<? extends StoreOperations> operations) {
        new StressOptions()
                .iterations(8)
                .invocationsPerIteration(300)
                .threads(3)
                .actorsPerThread(3)
                .check(operations);
    }
}
