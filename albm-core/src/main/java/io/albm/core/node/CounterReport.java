// SPDX-License-Identifier: Apache-2.0
package io.albm.core.node;

import java.time.Instant;

/**
 * What an agent publishes about its host.
 *
 * @param node whose counters they are
 * @param sample the counters
 * @param health what the agent's thresholds make of them
 * @param sequence grows by one with each report of one agent process; starts again with the process
 * @param at when the sample was taken, by the agent's wall clock
 */
public record CounterReport(NodeId node, CounterSample sample, HostHealth health, long sequence, Instant at) {}
