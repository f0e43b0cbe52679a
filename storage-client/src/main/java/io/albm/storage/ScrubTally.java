// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.LongAdder;

/** Counts what a scrub finds, on whatever threads its blocks' answers arrive. */
final class ScrubTally {
    final LongAdder files = new LongAdder();
    final LongAdder missing = new LongAdder();
    final LongAdder corrupt = new LongAdder();
    final LongAdder orphans = new LongAdder();
    final LongAdder crowded = new LongAdder();
    final Set<NodeId> unreachable;

    private final LongAdder checked = new LongAdder();
    private final LongAdder repaired = new LongAdder();
    private final LongAdder repairedBytes = new LongAdder();
    private final ConcurrentLinkedQueue<String> failures = new ConcurrentLinkedQueue<>();
    private final ScrubMeter meter;

    /** @param meter is told what is done, too */
    ScrubTally(ScrubMeter meter) {
        this(meter, new ConcurrentSkipListSet<>());
    }

    private ScrubTally(ScrubMeter meter, Set<NodeId> unreachable) {
        this.meter = meter;
        this.unreachable = unreachable;
    }

    /** One for some blocks, which counts with {@link #add} only. What nodes are unreachable both know at once. */
    ScrubTally part() {
        return new ScrubTally(meter, unreachable);
    }

    void checked() {
        checked.increment();
        meter.checked();
    }

    /** Whether all that was looked at is as it should be. */
    boolean isClean() {
        return missing.sum() + corrupt.sum() == 0 && failures.isEmpty();
    }

    void repaired(int bytes) {
        repaired.increment();
        repairedBytes.add(bytes);
        meter.repaired(bytes);
    }

    /** What was missing where it is now. Who finds that its file is gone meanwhile misses nothing. */
    void moved(int bytes) {
        missing.increment();
        repaired(bytes);
    }

    /** Takes over what a part has counted. */
    void add(ScrubTally part) {
        checked.add(part.checked.sum());
        missing.add(part.missing.sum());
        corrupt.add(part.corrupt.sum());
        repaired.add(part.repaired.sum());
        repairedBytes.add(part.repairedBytes.sum());
        part.failures.stream()
                .limit(Math.max(0, ScrubReport.MAX_FAILURES - failures.size()))
                .forEach(failures::add);
    }

    /**
     * Later failures than the report can hold are not kept: the first ones say what is wrong.
     *
     * @param what could not be done wholly, as the path of a file; the failure itself may not know
     */
    void failed(String what, Throwable failure) {
        if (failures.size() < ScrubReport.MAX_FAILURES) {
            String why = String.valueOf(failure.getMessage());
            failures.add(why.startsWith(what + ":") ? why : what + ": " + why);
        }
    }

    /** As {@link #failed(String, Throwable)}, but that a node is unreachable is said once for all its blocks. */
    void failed(NodeId node, String what, Throwable failure) {
        if (failure instanceof StorageException.NodeUnreachable) {
            unreachable.add(node);
        } else {
            failed(what, failure);
        }
    }

    ScrubReport report() {
        return new ScrubReport(
                files.sum(),
                checked.sum(),
                missing.sum(),
                corrupt.sum(),
                repaired.sum(),
                repairedBytes.sum(),
                orphans.sum(),
                crowded.sum(),
                List.copyOf(unreachable),
                List.copyOf(failures));
    }
}
