// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.cache;

import io.albm.cache.policy.EvictionPolicies;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/**
 * All simulations of a trace: every policy, cache size, window and mode.
 *
 * @param shorter leaves out what no target needs: most policies with hits first, and the other orders of reads
 */
record CacheGrid(boolean shorter) {

    static final String OURS = "window-aware";
    static final String PAPERS = "window-lru";
    static final String BASE = "lru";
    static final String BEST_KNOWN = "caffeine";
    static final int[] WINDOWS = {1, 16, 64, 256, 400, 1024};

    /** Those that never look at the window: in order, one simulation serves for all windows. */
    private static final Set<String> BLIND = Set.of("caffeine", "gdsf", "lru", "size", BeladySize.NAME);

    private static final List<String> NEEDED_WITH_HITS_FIRST = List.of(BASE, PAPERS, OURS);

    /** Starts all, and waits for all. */
    Map<Cell, Served> run(Trace trace, ExecutorService processors) throws InterruptedException, ExecutionException {
        long uniqueBytes = trace.uniqueBytes();
        Map<Cell, Future<Served>> started = new LinkedHashMap<>();
        for (CacheSize size : CacheSize.ALL) {
            long capacity = size.capacityBytes(uniqueBytes);
            for (String policy : inOrderPolicies()) {
                startInOrder(started, policy, size, capacity, trace, processors);
            }
            for (String policy : shorter ? NEEDED_WITH_HITS_FIRST : EvictionPolicies.names()) {
                startHitsFirst(started, policy, size, capacity, trace, processors);
            }
        }
        Map<Cell, Served> done = new LinkedHashMap<>();
        for (Map.Entry<Cell, Future<Served>> run : started.entrySet()) {
            done.put(run.getKey(), run.getValue().get());
        }
        return done;
    }

    private static List<String> inOrderPolicies() {
        List<String> policies = new ArrayList<>(EvictionPolicies.names());
        policies.add(BeladySize.NAME);
        return policies;
    }

    private static void startInOrder(
            Map<Cell, Future<Served>> started,
            String policy,
            CacheSize size,
            long capacity,
            Trace trace,
            ExecutorService processors) {
        Future<Served> shared = null;
        for (int window : WINDOWS) {
            if (shared == null || !BLIND.contains(policy)) {
                shared = processors.submit(() -> inOrder(trace, policy, capacity, window));
            }
            started.put(new Cell(policy, size, window, InOrderSimulation.MODE), shared);
        }
    }

    private static Served inOrder(Trace trace, String policy, long capacity, int window) {
        return policy.equals(BeladySize.NAME)
                ? BeladySize.run(trace.requests(), capacity)
                : InOrderSimulation.run(trace.requests(), policy, capacity, window);
    }

    private void startHitsFirst(
            Map<Cell, Future<Served>> started,
            String policy,
            CacheSize size,
            long capacity,
            Trace trace,
            ExecutorService processors) {
        for (ReadOrder order : orders(policy)) {
            for (int window : WINDOWS) {
                started.put(
                        new Cell(policy, size, window, order.mode()),
                        processors.submit(
                                () -> HitsFirstSimulation.run(trace.requests(), policy, capacity, window, order)));
            }
        }
    }

    private List<ReadOrder> orders(String policy) {
        return shorter || !(policy.equals(OURS) || policy.equals(BASE))
                ? List.of(ReadOrder.OLDEST_FIRST)
                : List.of(ReadOrder.values());
    }
}
