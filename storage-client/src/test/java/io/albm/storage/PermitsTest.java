// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class PermitsTest {
    private final Permits permits = new Permits(10);
    private final List<String> begun = new ArrayList<>();

    private CompletableFuture<Void> begin(String name, long cost) {
        CompletableFuture<Void> end = new CompletableFuture<>();
        permits.run(cost, () -> {
            begun.add(name);
            return end;
        });
        return end;
    }

    @Test
    void runsAsManySideBySideAsThereIsRoomFor() {
        CompletableFuture<Void> first = begin("first", 6);
        begin("second", 4);
        begin("third", 6);
        assertThat(begun).containsExactly("first", "second");
        first.complete(null);
        assertThat(begun).containsExactly("first", "second", "third");
    }

    @Test
    void letsNoSmallStepGoBeforeALargeOneThatWaits() {
        CompletableFuture<Void> first = begin("first", 6);
        begin("large", 8);
        begin("small", 2);
        assertThat(begun).containsExactly("first");
        first.complete(null);
        assertThat(begun).containsExactly("first", "large", "small");
    }

    @Test
    void runsAStepAloneThatTakesMoreThanThereIs() {
        CompletableFuture<Void> first = begin("first", 1);
        CompletableFuture<Void> huge = begin("huge", 1000);
        begin("next", 1);
        assertThat(begun).containsExactly("first");
        first.complete(null);
        assertThat(begun).containsExactly("first", "huge");
        huge.completeExceptionally(new IllegalStateException("it failed"));
        assertThat(begun).containsExactly("first", "huge", "next");
    }
}
