// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import io.albm.core.node.CounterSample;
import io.albm.core.node.HostHealth;

/**
 * The last thing that a backend's host said about itself.
 *
 * @param sample its counters
 * @param health what its agent makes of them
 * @param sequence changes with every report, also when the counters do not
 * @param receivedNanos when it arrived here, by this process's clock: the clocks of two hosts are never compared
 */
public record HostReport(CounterSample sample, HostHealth health, long sequence, long receivedNanos) {}
