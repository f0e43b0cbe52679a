// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Collects what a check finds, on whatever threads the answers arrive. */
final class FsckTally {
    final LongAdder names = new LongAdder();
    final LongAdder segments = new LongAdder();
    final LongAdder blocks = new LongAdder();
    final LongAdder degradedStripes = new LongAdder();
    final LongAdder lostStripes = new LongAdder();
    final LongAdder orphans = new LongAdder();
    final LongAdder crowded = new LongAdder();
    final LongAdder unnamedInodes = new LongAdder();
    final Set<NodeId> unreachable = new ConcurrentSkipListSet<>();

    private final ConcurrentLinkedQueue<String> damage = new ConcurrentLinkedQueue<>();
    private final AtomicInteger lines = new AtomicInteger();

    /** Later damage than the report can hold is not kept. */
    void damage(String what) {
        if (lines.incrementAndGet() <= FsckReport.MAX_DAMAGE) {
            damage.add(what);
        }
    }

    /** Takes over what another one has collected. */
    void add(FsckTally other) {
        names.add(other.names.sum());
        segments.add(other.segments.sum());
        blocks.add(other.blocks.sum());
        degradedStripes.add(other.degradedStripes.sum());
        lostStripes.add(other.lostStripes.sum());
        orphans.add(other.orphans.sum());
        crowded.add(other.crowded.sum());
        unnamedInodes.add(other.unnamedInodes.sum());
        unreachable.addAll(other.unreachable);
        other.damage.forEach(this::damage);
    }

    FsckReport report() {
        return new FsckReport(
                names.sum(),
                segments.sum(),
                blocks.sum(),
                degradedStripes.sum(),
                lostStripes.sum(),
                orphans.sum(),
                crowded.sum(),
                unnamedInodes.sum(),
                List.copyOf(unreachable),
                List.copyOf(damage));
    }
}
