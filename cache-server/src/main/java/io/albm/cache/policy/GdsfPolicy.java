// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

/**
 * GreedyDual-Size with Frequency (Cherkasova, 1998): a document is worth {@code L + requests x cost / bytes}, where L
 * is the value of what was evicted last. So what was valuable once sinks, relative to what is asked for now, with
 * every eviction. Requests count from admission on.
 */
final class GdsfPolicy<K> extends HeapPolicy<K> {

    private final ReadCost readCost;
    private double lastEvicted;

    GdsfPolicy(PolicyContext<K> context) {
        super(context);
        readCost = context.readCost();
    }

    @Override
    double valueOf(VictimHeap.Entry<K> entry) {
        return lastEvicted + entry.requests * readCost.of(entry.bytes()) / Math.max(1, entry.bytes());
    }

    @Override
    void lost(double value) {
        lastEvicted = value;
    }
}
