// SPDX-License-Identifier: Apache-2.0
package io.albm.agent.balancer;

import io.albm.core.node.Counter;

/** What a host should get from a balancer. */
sealed interface HostState {
    /**
     * Requests.
     *
     * @param share of its full weight, 0 to 1
     */
    record Ready(double share) implements HostState {}

    /** Nothing new: an operator took it out. */
    record Draining() implements HostState {}

    /**
     * Nothing: it is short of something.
     *
     * @param counter of what most
     * @param value of that counter
     */
    record Relieved(Counter counter, double value) implements HostState {}
}
