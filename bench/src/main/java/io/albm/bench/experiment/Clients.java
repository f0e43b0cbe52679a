// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import io.albm.core.node.NodeAddress;
import java.util.ArrayList;
import java.util.List;

/** The paper's clients: they load a proxy for the time of a run and go home. */
final class Clients {
    private Clients() {}

    /** Loads; in the same round all variants are asked for the same requests. */
    static Outcomes load(NodeAddress proxy, int clients, int round, Plan.Pace pace) throws InterruptedException {
        long from = System.nanoTime() + pace.settle().toNanos();
        long to = from + pace.run().toNanos();
        Outcomes outcomes = new Outcomes(from, to);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < clients * Plan.THREADS_PER_CLIENT; i++) {
            threads.add(Thread.ofVirtual().start(new ClosedLoop(proxy, i + 1_000L * round, to, outcomes)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return outcomes;
    }
}
