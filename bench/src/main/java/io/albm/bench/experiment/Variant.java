// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import io.albm.core.node.NodeAddress;

/** One way to route, in front of the fleet. */
interface Variant {
    /** As in the table and in the chart. */
    String name();

    /** Whether it is one of haproxy's. */
    boolean rival();

    /** Makes it route this way from now on, and tells where. */
    NodeAddress select() throws InterruptedException;
}
