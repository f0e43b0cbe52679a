// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class InterruptsTest {
    private static final long REQUEST = 8;

    private static final int CALLER = 17;

    private final AtomicBoolean isKilled = new AtomicBoolean(true);
    private final Interrupts interrupts = new Interrupts(caller -> caller == CALLER && isKilled.get());
    private final AtomicBoolean wasInterrupted = new AtomicBoolean();
    private final Thread later = Thread.ofVirtual().unstarted(() -> wasInterrupted.set(Thread.interrupted()));

    private void runLater() throws InterruptedException {
        later.start();
        later.join();
    }

    @Test
    void reachWhoServesTheRequestAsLongAsHeDoes() {
        assertThat(interrupts.interrupt(REQUEST)).isFalse();
        interrupts.begin(REQUEST, CALLER);
        assertThat(interrupts.interrupt(REQUEST + 2)).isFalse();
        assertThat(Thread.interrupted()).isFalse();
        assertThat(interrupts.interrupt(REQUEST)).isTrue();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        interrupts.end(REQUEST);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(interrupts.interrupt(REQUEST)).isFalse();
    }

    @Test
    void doNotReachWhoServesACallerThatLivesOn() {
        isKilled.set(false);
        interrupts.begin(REQUEST, CALLER);
        assertThat(interrupts.interrupt(REQUEST)).as("is known").isTrue();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        isKilled.set(true);
        assertThat(interrupts.interrupt(REQUEST)).isTrue();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        interrupts.end(REQUEST);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void thatCameBeforeTheRequestWasHandedOverReachWhoGotIt(boolean killed) throws InterruptedException {
        isKilled.set(killed);
        interrupts.begin(REQUEST, CALLER);
        assertThat(interrupts.interrupt(REQUEST)).isTrue();
        interrupts.handOver(REQUEST, later);
        assertThat(Thread.interrupted()).isFalse();
        interrupts.end(REQUEST);
        runLater();
        assertThat(wasInterrupted).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void thatComeBeforeItsThreadHasBegunReachIt(boolean killed) throws InterruptedException {
        isKilled.set(killed);
        interrupts.begin(REQUEST, CALLER);
        interrupts.handOver(REQUEST, later);
        interrupts.end(REQUEST);
        assertThat(interrupts.interrupt(REQUEST)).isTrue();
        assertThat(Thread.interrupted()).isFalse();
        runLater();
        assertThat(wasInterrupted).isTrue();
    }
}
