// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.coordinator;

import io.albm.checkpoint.protocol.JobEvent;
import io.albm.core.metrics.Latency;
import io.albm.core.metrics.Metrics;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** What a coordinator counts. */
final class CoordinatorMetrics {
    private final LongAdder committed;
    private final LongAdder aborted;
    private final LongAdder resumed;
    private final LongAdder bytes;
    private final LongAdder newBytes;
    private final LongAdder storedBytes;
    private final Latency pause;
    private final Latency total;
    private volatile int jobs;
    private volatile int groupSize;
    private volatile boolean leading;

    CoordinatorMetrics(Metrics metrics) {
        committed = metrics.counter("checkpoints_committed_total", "Checkpoints that became complete.");
        aborted = metrics.counter("checkpoints_aborted_total", "Checkpoints that were given up.");
        resumed = metrics.counter("checkpoints_resumed_total", "Checkpoints taken over from another coordinator.");
        bytes = metrics.counter("checkpoint_bytes_total", "Bytes of ranks' states in complete checkpoints.");
        newBytes = metrics.counter(
                "checkpoint_new_bytes_total", "Of these, bytes of pages that were not zero and not stored yet.");
        storedBytes = metrics.counter(
                "checkpoint_stored_bytes_total", "Bytes that were stored for complete checkpoints, without parity.");
        pause = metrics.timer("checkpoint_pause_seconds", "From the begin of a checkpoint until all ranks run on.");
        total = metrics.timer("checkpoint_seconds", "From the begin of a checkpoint to its commit.");
        metrics.gauge("checkpoint_jobs", "Jobs whose checkpoints this process leads.", () -> jobs);
        metrics.gauge("checkpoint_group_size", "Stripe group size of the last checkpoint.", () -> groupSize);
        metrics.gauge("checkpoint_leader", "1 if this process leads, else 0.", () -> leading ? 1 : 0);
    }

    void jobs(int now) {
        jobs = now;
    }

    void leading(boolean now) {
        leading = now;
    }

    void count(JobEvent event) {
        switch (event) {
            case JobEvent.CheckpointBegun begun -> {}
            case JobEvent.CheckpointResumed r -> resumed.increment();
            case JobEvent.CheckpointSaved saved -> pause.record(TimeUnit.MILLISECONDS.toNanos(saved.pausedMillis()));
            case JobEvent.CheckpointCommitted commit -> {
                committed.increment();
                bytes.add(commit.entry().bytes());
                newBytes.add(commit.entry().newBytes());
                storedBytes.add(commit.entry().storedBytes());
                groupSize = commit.entry().groupSize();
                total.record(TimeUnit.MILLISECONDS.toNanos(commit.entry().millis()));
            }
            case JobEvent.CheckpointAborted abort -> aborted.increment();
        }
    }
}
