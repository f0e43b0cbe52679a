// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class BlockingExecutorTest {

    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();

    @Test
    void runsAtMostItsBoundAtOnceAndRefusesBeyondTheQueue() {
        try (var executor = new BlockingExecutor(2, 3)) {
            for (int i = 0; i < 5; i++) {
                executor.execute(this::block);
            }
            await().until(() -> running.get() == 2);
            assertThat(executor.active()).isEqualTo(5);
            assertThatThrownBy(() -> executor.execute(this::block))
                    .isInstanceOf(RejectedExecutionException.class)
                    .hasMessage("more than 5 blocking tasks at once");

            release.countDown();

            await().until(() -> done.get() == 5);
            await().until(() -> executor.active() == 0);
        }
    }

    @Test
    void refusesWorkOnceClosed() {
        var executor = new BlockingExecutor(1, 0);
        executor.close();

        assertThatThrownBy(() -> executor.execute(this::block)).isInstanceOf(RejectedExecutionException.class);
    }

    private void block() {
        running.incrementAndGet();
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        done.incrementAndGet();
    }
}
