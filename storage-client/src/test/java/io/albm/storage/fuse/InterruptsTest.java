// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

final class InterruptsTest {
    private static final long REQUEST = 8;

    private final Interrupts interrupts = new Interrupts();
    private final AtomicBoolean wasInterrupted = new AtomicBoolean();
    private final Thread later = Thread.ofVirtual().unstarted(() -> wasInterrupted.set(Thread.interrupted()));

    private void runLater() throws InterruptedException {
        later.start();
        later.join();
    }

    @Test
    void reachWhoServesTheRequestAsLongAsHeDoes() {
        assertThat(interrupts.interrupt(REQUEST)).isFalse();
        interrupts.begin(REQUEST);
        assertThat(interrupts.interrupt(REQUEST + 2)).isFalse();
        assertThat(Thread.interrupted()).isFalse();
        assertThat(interrupts.interrupt(REQUEST)).isTrue();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        interrupts.end(REQUEST);
        assertThat(Thread.interrupted()).isFalse();
        assertThat(interrupts.interrupt(REQUEST)).isFalse();
    }

    @Test
    void thatCameBeforeTheRequestWasHandedOverReachWhoGotIt() throws InterruptedException {
        interrupts.begin(REQUEST);
        assertThat(interrupts.interrupt(REQUEST)).isTrue();
        interrupts.handOver(REQUEST, later);
        assertThat(Thread.interrupted()).isFalse();
        interrupts.end(REQUEST);
        runLater();
        assertThat(wasInterrupted).isTrue();
    }

    @Test
    void thatComeBeforeItsThreadHasBegunReachIt() throws InterruptedException {
        interrupts.begin(REQUEST);
        interrupts.handOver(REQUEST, later);
        interrupts.end(REQUEST);
        assertThat(interrupts.interrupt(REQUEST)).isTrue();
        assertThat(Thread.interrupted()).isFalse();
        runLater();
        assertThat(wasInterrupted).isTrue();
    }
}
