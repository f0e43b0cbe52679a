// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.cache.policy.EvictionPolicies;
import io.albm.cache.source.DocumentPath;
import io.albm.cache.store.ResidentControl.Kept;
import io.albm.cache.store.ResidentControl.Purged;
import java.time.Duration;
import java.util.Comparator;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What operators do, through a store that serves. */
class ResidentControlTest {

    private static final long CAPACITY = 4000;

    private final FakeSource source = new FakeSource();
    private DocumentStore store;
    private ResidentControl<DocumentPath> control;

    @BeforeEach
    void open() {
        StoreSettings settings =
                new StoreSettings(CAPACITY, "lru", 64, 4, 100, Duration.ofHours(1), Duration.ofMillis(50));
        store = source.store(settings, () -> 0);
        control = store.control();
        for (int i = 0; i < 4; i++) {
            source.put("/" + i, new byte[1000]);
            ask("/" + i).release();
        }
    }

    @AfterEach
    void leavesNoByteBehind() {
        store.close();
        assertThat(store.residentBytes() + store.transitBytes()).isZero();
    }

    private Document ask(String path) {
        CompletableFuture<Outcome> answer = new CompletableFuture<>();
        store.request(new DocumentPath(path), answer::complete);
        return ((Outcome.Found) answer.join()).document();
    }

    @Test
    void shrinksToTheDocumentsThatThePolicyWouldKeep() throws InterruptedException {
        ask("/0").release();

        assertThat(control.resize(2500)).isTrue();

        assertThat(store.memory().bounds()).isEqualTo(new MemoryBounds(2500));
        assertThat(control.first(9, Comparator.comparing(Kept::name)))
                .extracting(Kept::name)
                .containsExactly("/0", "/3");
        assertThat(control.resize(CAPACITY)).isTrue();
        ask("/1").release();
        assertThat(store.residents()).isEqualTo(3);
    }

    @Test
    void shrinkingLeavesAResponseUnderWayItsBytes() throws InterruptedException {
        Document underWay = ask("/2");

        assertThat(control.resize(0)).isTrue();

        assertThat(store.residents()).isZero();
        assertThat(underWay.content().isReadable(1000)).isTrue();
        assertThat(store.transitBytes()).isEqualTo(1000);
        underWay.release();
    }

    @Test
    void dropsWhatIsLargerThanAnyThatMayBeKeptThen() throws InterruptedException {
        assertThat(control.resize(64L << 20)).isTrue();
        source.put("/large", new byte[2 << 20]);
        Document large = ask("/large");
        assertThat(store.residents()).isEqualTo(5);

        assertThat(control.resize(1 << 20)).isTrue();

        assertThat(control.first(9, Comparator.comparing(Kept::name)))
                .extracting(Kept::name)
                .doesNotContain("/large");
        assertThat(store.transitBytes()).isEqualTo(2 << 20);
        large.release();
    }

    @Test
    void everyPolicyTakesOverWhatAnotherKept() {
        for (String from : EvictionPolicies.names()) {
            control.changePolicy(from);
            for (String to : EvictionPolicies.names()) {
                control.changePolicy(to);

                assertThat(control.policy()).isEqualTo(to);
                assertThat(store.residents()).as(from + " to " + to).isEqualTo(4);
            }
        }
        assertThatThrownBy(() -> control.changePolicy("none")).hasMessageContaining("none");
        long reads = store.stats().reads();
        ask("/0").release();
        assertThat(store.stats().reads()).isEqualTo(reads);
    }

    @Test
    void purgesWhatIsNamedAndReadsItAnew() throws InterruptedException {
        Document underWay = ask("/1");
        source.put("/1", new byte[500]);

        assertThat(control.purge(path -> path.value().equals("/1"))).isEqualTo(new Purged(1, 0));

        assertThat(underWay.content().isReadable(1000)).isTrue();
        underWay.release();
        Document anew = ask("/1");
        assertThat(anew.content().readableBytes()).isEqualTo(500);
        anew.release();
        assertThat(control.purge(path -> true)).isEqualTo(new Purged(4, 0));
        assertThat(store.residents()).isZero();
    }

    /** The predicate is asked by the purge's thread, between its steps. */
    @Test
    void servesRequestsDuringAPurgeAndLeavesWhatComesMeanwhile() throws InterruptedException {
        AtomicBoolean asked = new AtomicBoolean();

        Purged purged = control.purge(path -> {
            if (asked.compareAndSet(false, true)) {
                assertThat(elsewhere(() -> {
                            for (int i = 4; i < 1000; i++) {
                                source.put("/" + i, new byte[4]);
                                ask("/" + i).release();
                            }
                            return store.residents();
                        }))
                        .isGreaterThan(900);
            }
            return true;
        });

        assertThat(purged.dropped()).isBetween(0L, 4L);
        assertThat(store.residents()).isEqualTo(996);
    }

    private static <T> T elsewhere(Callable<T> task) {
        FutureTask<T> running = new FutureTask<>(task);
        Thread.startVirtualThread(running);
        try {
            return running.get(10, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError("no request was served during the purge", e);
        }
    }

    @Test
    void listsWhatWasAskedForMost() {
        ask("/3").release();
        ask("/3").release();
        ask("/1").release();

        assertThat(control.first(2, Comparator.comparingLong(Kept::requests).reversed()))
                .containsExactly(new Kept("/3", 1000, 2), new Kept("/1", 1000, 1));
    }
}
