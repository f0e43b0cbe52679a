// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.cluster.CoordinationStore;
import io.albm.core.node.NodeId;
import io.albm.core.time.MonotonicClock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.Executor;

/**
 * What a leader of the table works with.
 *
 * @param self where clients find it
 * @param store in which log and snapshots lie
 * @param lane runs one task at a time, in order; all that a leader decides happens there
 * @param delay for another try
 * @param clock for the lease
 * @param wallClock for the times of files
 * @param bounds what it may take
 * @param logBytes how long the log may grow, at least, before a snapshot takes its place
 * @param leaseNames the names of a directory with more are not given with a lease on it
 * @param lease for how long after a commit of its own a leader answers questions from memory. Must be shorter than the
 *     store's session timeout by more than the clocks can differ: within it nobody else can have been elected
 * @param tails where it keeps what is not durable yet
 */
public record TableSite(
        NodeId self,
        CoordinationStore store,
        Executor lane,
        Delay delay,
        MonotonicClock clock,
        InstantSource wallClock,
        TableBounds bounds,
        long logBytes,
        int leaseNames,
        Duration lease,
        Tails tails) {}
