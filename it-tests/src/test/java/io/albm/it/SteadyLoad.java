// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import static io.albm.it.RoleUnderTest.await;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Clients that ask again and again, most on the one connection of their life: whatever goes wrong on it is a failure, a
 * connection that is closed too, and ends the client. Each rests between two questions for as long as the answer took, so
 * that another test can run beside them.
 */
final class SteadyLoad implements AutoCloseable {
    /** One client on one connection. */
    interface Client extends AutoCloseable {
        /** Asks once and compares every byte of the answer. */
        void ask() throws IOException;

        @Override
        void close() throws IOException;
    }

    private static final Duration SHORTEST_REST = Duration.ofMillis(2);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<String> failures = new CopyOnWriteArrayList<>();
    private final AtomicLong answered = new AtomicLong();
    private final Duration shortestRest;
    private volatile boolean stopped;

    private SteadyLoad(Duration shortestRest) {
        this.shortestRest = shortestRest;
    }

    static SteadyLoad of(List<Client> clients) {
        return of(clients, SHORTEST_REST);
    }

    /** @param shortestRest of each client between two questions, which is what a load of minutes takes from other tests */
    static SteadyLoad of(List<Client> clients, Duration shortestRest) {
        var load = new SteadyLoad(shortestRest);
        clients.forEach(client -> load.threads.execute(() -> load.run(client)));
        return load;
    }

    private void run(Client client) {
        try (client) {
            while (!stopped) {
                long begun = System.nanoTime();
                client.ask();
                answered.incrementAndGet();
                LockSupport.parkNanos(Math.max(shortestRest.toNanos(), System.nanoTime() - begun));
            }
        } catch (IOException | RuntimeException e) {
            failures.add(client + " after " + answered + " answers: " + e);
        }
    }

    /** What went wrong so far. */
    List<String> failures() {
        return failures;
    }

    /** Until so many more requests are answered, or one has failed. */
    void awaitAnswers(int more) {
        long goal = answered.get() + more;
        await().until(() -> answered.get() >= goal || !failures.isEmpty());
    }

    /** Lets every client finish what it has asked for. */
    @Override
    public void close() {
        stopped = true;
        threads.close();
    }
}
