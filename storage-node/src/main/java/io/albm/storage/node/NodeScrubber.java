// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.metrics.Metrics;
import io.albm.core.node.NodeId;
import io.albm.core.time.MonotonicClock;
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
 * taken for a replacement and rebuilds what it should hold, however often it takes. Then it checks all its blocks by a
 * schedule. Each is one call of {@link #step}, which a virtual thread turns.
 */
final class NodeScrubber implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(NodeScrubber.class);
    private static final Duration RETRY = Duration.ofSeconds(1);

    private final NodeId self;
    private final StripedStore store;
    private final ScrubSchedule schedule;
    private final RebuildMark mark;
    private final LongAdder missing;
    private final LongAdder corrupt;
    private final LongAdder repaired;
    private final LongAdder orphans;
    private final Redundancy redundancy = new Redundancy();
    private final MonotonicClock clock = MonotonicClock.system();
    private final Thread thread;
    private Duration pause = RETRY;
    private boolean rebuild;
    private boolean joined;

    /** @param mark set if the node has to rebuild what it should hold, as a replacement does */
    NodeScrubber(NodeId self, StripedStore store, Metrics metrics, ScrubSchedule schedule, RebuildMark mark)
            throws IOException {
        this.self = self;
        this.store = store;
        this.schedule = schedule;
        this.mark = mark;
        this.rebuild = mark.isSet();
        missing = metrics.counter("storage_scrub_missing_total", "Blocks that the node should have had and had not.");
        corrupt = metrics.counter(
                "storage_scrub_corrupt_total", "Blocks that did not match their checksum or could not be read.");
        repaired = metrics.counter("storage_scrub_repaired_total", "Blocks made again from their stripes.");
        orphans = metrics.counter("storage_scrub_orphans_total", "Generations removed because no file needs them.");
        metrics.gauge(
                "storage_degraded_stripes",
                "Stripes that lack this node's unit, as its rebuild or its last scrub knows.",
                redundancy::degradedStripes);
        metrics.gauge(
                "storage_redundancy_left_seconds",
                "Until the rebuild of this node is done, at its speed so far.",
                () -> redundancy.secondsLeft(clock.nanoTime()));
        thread = Thread.ofVirtual().name("albm-scrub").unstarted(this::turn);
    }

    void start() {
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
            return joined || rebuild ? check() : join();
        } catch (IOException failure) {
            log.warn("scrub put off for {}: {}", RETRY, failure.getMessage());
            return RETRY;
        }
    }

    private Duration join() throws IOException {
        long removed = store.sweep(self);
        orphans.add(removed);
        joined = true;
        if (removed > 0) {
            log.info("removed the blocks of {} writes that no file needs", removed);
        }
        return schedule.left();
    }

    private Duration check() throws IOException {
        redundancy.begins(rebuild, clock.nanoTime());
        ScrubReport report = store.scrub(Set.of(self), redundancy::goesOn);
        redundancy.ends(report);
        missing.add(report.missing());
        corrupt.add(report.corrupt());
        repaired.add(report.repaired());
        orphans.add(report.orphans());
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
        return rebuild ? rebuilt(report.whole()) : through();
    }

    /** What is lost for good stays lost, so who cannot have all tries again ever more rarely. */
    private Duration rebuilt(boolean whole) throws IOException {
        if (whole) {
            mark.clear();
            rebuild = false;
            return through();
        }
        Duration now = pause;
        Duration longer = now.multipliedBy(2);
        pause = longer.compareTo(schedule.interval()) < 0 ? longer : schedule.interval();
        return now;
    }

    private Duration through() {
        schedule.through();
        return schedule.interval();
    }

    @Override
    public void close() {
        thread.interrupt();
    }
}
