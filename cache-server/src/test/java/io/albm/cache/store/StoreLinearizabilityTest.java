// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import io.albm.cache.source.DocumentPath;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jetbrains.lincheck.datastructures.StressOptions;
import org.jetbrains.lincheck.datastructures.Validate;
import org.junit.jupiter.api.Test;

/**
 * Lincheck runs requests, operators and observers side by side and looks for an order of them, one after the other, that
 * gives the same answers: window, index, policy and ledger must look like one thing that changes at once. Three documents
 * of different sizes, of which not all fit, tell the orders apart by what is resident.
 */
@Param(name = "document", gen = IntGen.class, conf = "1:3")
public class StoreLinearizabilityTest {

    private static final int CAPACITY = 4000;

    private final DocumentStore store;

    /** Made anew by Lincheck for every run. */
    public StoreLinearizabilityTest() {
        FakeSource source = new FakeSource();
        for (int document = 1; document <= 3; document++) {
            source.put("/" + document, new byte[document * 1000]);
        }
        store = new DocumentStore(
                source,
                HeadEncoder.NONE,
                new StoreSettings(CAPACITY, "lru", 2, 2, 100, Duration.ofHours(1), Duration.ofSeconds(10)),
                new StoreStats((name, help, tags) -> new LongAdder()),
                Thread::startVirtualThread,
                UnpooledByteBufAllocator.DEFAULT,
                () -> 0,
                () -> FakeSource.LONG_AGO.plusSeconds(3600));
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
    public int residents() {
        return store.residents();
    }

    @Operation
    public long residentBytes() {
        return store.residentBytes();
    }

    /** Nothing waits, nothing is in transit, and the books agree with the index, once all have their answers. */
    @Validate
    public void leavesNothingBehind() {
        long kept = store.control().first(9, Comparator.comparing(ResidentControl.Kept::name)).stream()
                .mapToLong(ResidentControl.Kept::bytes)
                .sum();
        if (store.windowOccupancy() != 0 || store.transitBytes() != 0 || store.residentBytes() != kept) {
            throw new IllegalStateException("waiting " + store.windowOccupancy() + ", books " + store.memory()
                    + ", resident documents have " + kept + " bytes");
        }
        store.close();
    }

    @Test
    void requestsAndOperatorsSeeOneStore() {
        new StressOptions()
                .iterations(10)
                .invocationsPerIteration(300)
                .threads(3)
                .actorsPerThread(3)
                .check(StoreLinearizabilityTest.class);
    }
}
