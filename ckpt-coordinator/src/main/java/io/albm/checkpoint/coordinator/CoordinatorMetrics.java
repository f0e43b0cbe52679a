// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.coordinator;

import io.albm.checkpoint.protocol.DrainRecord;
import io.albm.checkpoint.protocol.JobEvent;
import io.albm.checkpoint.strategy.Network;
import io.albm.core.metrics.Latency;
import io.albm.core.metrics.Metrics;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/** What a coordinator counts. */
final class CoordinatorMetrics {
    private final LongAdder committed;
    private final LongAdder aborted;
    private final LongAdder resumed;
    private final LongAdder bytes;
    private final Latency pause;
    private final Latency total;
    private final Metrics registry;
    private volatile int jobs;
    private volatile int groupSize;
    private volatile double ratioCheckpoint;
    private volatile Network network = Network.UNKNOWN;
    private volatile boolean leading;

    CoordinatorMetrics(Metrics metrics) {
        registry = metrics;
        committed = metrics.counter("checkpoints_committed_total", "Checkpoints that became complete.");
        aborted = metrics.counter("checkpoints_aborted_total", "Checkpoints that were given up.");
        resumed = metrics.counter("checkpoints_resumed_total", "Checkpoints taken over from another coordinator.");
        bytes = metrics.counter("checkpoint_bytes_total", "Bytes of ranks' states in complete checkpoints.");
        pause = metrics.timer("checkpoint_pause_seconds", "From the begin of a checkpoint until all ranks run on.");
        total = metrics.timer("checkpoint_seconds", "From the begin of a checkpoint to its commit.");
        metrics.gauge("checkpoint_jobs", "Jobs whose checkpoints this process leads.", () -> jobs);
        metrics.gauge("checkpoint_group_size", "Most ranks that wrote the last checkpoint at once.", () -> groupSize);
        metrics.gauge(
                "checkpoint_ratio",
                "P3's Ratio_Checkpoint of the job that was stored last: share of its time in which ranks stood still.",
                () -> ratioCheckpoint);
        metrics.gauge(
                "checkpoint_rate_bytes_per_second",
                "At which all I/O nodes together grant credit; 0 while no rates are set.",
                () -> network.grantedBytesPerSecond());
        metrics.gauge(
                "checkpoint_queue_seconds",
                "Longest round trip to an I/O node over that of its path without a queue, when last measured.",
                () -> network.queueMicros() / 1e6);
        metrics.gauge(
                "checkpoint_retransmit_ratio",
                "Share of TCP segments that the jobs' hosts sent again, when last measured.",
                () -> network.retransmitShare());
        metrics.gauge("checkpoint_leader", "1 if this process leads, else 0.", () -> leading ? 1 : 0);
    }

    void jobs(int now) {
        jobs = now;
    }

    void leading(boolean now) {
        leading = now;
    }

    void network(Network now) {
        network = now;
    }

    void count(JobEvent event) {
        switch (event) {
            case JobEvent.CheckpointBegun begun -> {}
            case JobEvent.CheckpointResumed r -> resumed.increment();
            case JobEvent.CheckpointSaved saved -> pause.record(TimeUnit.MILLISECONDS.toNanos(saved.pausedMillis()));
            case JobEvent.CheckpointCommitted commit -> {
                committed.increment();
                bytes.add(commit.entry().bytes());
                groupSize = commit.entry().groupSize();
                total.record(TimeUnit.MILLISECONDS.toNanos(commit.entry().millis()));
            }
            case JobEvent.CheckpointAborted abort -> aborted.increment();
            case JobEvent.CheckpointExplained explained -> count(explained.record());
            case JobEvent.ExplanationLost lost -> {}
        }
    }

    private void count(DrainRecord record) {
        ratioCheckpoint = record.ratioCheckpoint();
        record.phaseMillis()
                .forEach((phase, millis) -> registry.timer(
                                "checkpoint_phase_seconds",
                                "Time in each phase of checkpoints that were drained.",
                                "phase",
                                phase.toLowerCase(Locale.ROOT))
                        .record(TimeUnit.MILLISECONDS.toNanos(millis)));
    }
}
