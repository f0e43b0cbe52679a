// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import io.albm.bench.load.Answers;
import io.albm.core.node.NodeAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/** The paper's clients: they load a proxy for the time of a run and go home. */
final class Clients {
    private static final int WARM_UP_THREADS = 16;

    private Clients() {}

    /** Loads; in the same round all variants are asked for the same requests. */
    static Answers load(NodeAddress proxy, int clients, int round, Plan.Pace pace) throws InterruptedException {
        return load(proxy, clients * Plan.THREADS_PER_CLIENT, round, RequestKind::draw, pace);
    }

    /** Asks for nothing but bytes, quickly, so that no run pays for the compilation of what it needs. */
    static Answers warmUp(NodeAddress proxy, Plan.Pace pace) throws InterruptedException {
        return load(proxy, WARM_UP_THREADS, 0, _ -> RequestKind.BYTE, pace);
    }

    private static Answers load(
            NodeAddress proxy, int count, int round, Function<RandomGenerator, RequestKind> mix, Plan.Pace pace)
            throws InterruptedException {
        long from = System.nanoTime() + pace.settle().toNanos();
        long to = from + pace.run().toNanos();
        Answers answers = new Answers(from, to);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            threads.add(Thread.ofVirtual().start(new ClosedLoop(proxy, i + 1_000L * round, mix, to, answers)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return answers;
    }
}
