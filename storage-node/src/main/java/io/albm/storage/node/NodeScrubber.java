// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.metrics.Metrics;
import io.albm.core.node.NodeId;
import io.albm.storage.ScrubReport;
import io.albm.storage.StripedStore;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node's care for its own blocks. When it joins, it removes what was deleted while it was away; with an empty disk it is
 * taken for a replacement and rebuilds what it should hold. Then it checks all its blocks at an interval. Each is one call
 * of {@link #step}, which a virtual thread turns.
 */
final class NodeScrubber implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(NodeScrubber.class);
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final NodeId self;
    private final StripedStore store;
    private final Duration interval;
    private final LongAdder missing;
    private final LongAdder corrupt;
    private final LongAdder repaired;
    private final LongAdder orphans;
    private final Thread thread;
    private volatile boolean rebuild;
    private volatile boolean joined;

    NodeScrubber(NodeId self, StripedStore store, Metrics metrics, Duration interval) {
        this.self = self;
        this.store = store;
        this.interval = interval;
        missing = metrics.counter("storage_scrub_missing_total", "Blocks that the node should have had and had not.");
        corrupt = metrics.counter("storage_scrub_corrupt_total", "Blocks that did not match their checksum.");
        repaired = metrics.counter("storage_scrub_repaired_total", "Blocks made again from their stripes.");
        orphans = metrics.counter("storage_scrub_orphans_total", "Generations removed because no file needs them.");
        thread = Thread.ofVirtual().name("albm-scrub").unstarted(this::turn);
    }

    /** @param empty whether the node has no blocks, as a replacement has */
    void start(boolean empty) {
        rebuild = empty;
        thread.start();
    }

    private void turn() {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                Thread.sleep(step());
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    /** Does what is due. @return how long to wait for the next step */
    Duration step() {
        if (!store.nodes().contains(self)) {
            return RETRY;
        }
        try {
            return join() ? interval : check();
        } catch (IOException failure) {
            log.warn("scrub put off for {}: {}", RETRY, failure.getMessage());
            return RETRY;
        }
    }

    private boolean join() throws IOException {
        if (joined || rebuild) {
            return false;
        }
        long removed = store.sweep(self);
        orphans.add(removed);
        joined = true;
        if (removed > 0) {
            log.info("removed the blocks of {} writes that no file needs", removed);
        }
        return true;
    }

    private Duration check() throws IOException {
        ScrubReport report = store.scrub(Set.of(self), progress -> {});
        missing.add(report.missing());
        corrupt.add(report.corrupt());
        repaired.add(report.repaired());
        orphans.add(report.orphans());
        rebuild = false;
        joined = true;
        if (!report.clean()) {
            log.info(
                    "scrub of {} blocks: {} missing, {} corrupt, {} repaired, {} orphans removed, failures: {}",
                    report.checked(),
                    report.missing(),
                    report.corrupt(),
                    report.repaired(),
                    report.orphans(),
                    report.failures());
        }
        return interval;
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
