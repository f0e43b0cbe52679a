// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import java.io.IOException;

/**
 * Where one counter of this host comes from. A source keeps whatever it needs between two samples and allocates nothing
 * per sample; its files belong to {@link KernelFiles}. Turned by one thread.
 */
@FunctionalInterface
interface CounterSource {
    /** The source of a counter that this host does not have. */
    CounterSource NONE = _ -> Double.NaN;

    /**
     * The counter's value now, in the unit of its {@link io.albm.core.node.Counter}, finite and not negative; NaN while
     * the host has none.
     *
     * @param nowNanos monotonic time, for counters that are rates
     * @throws IOException if the kernel does not give it now; the last value stands
     */
    double sample(long nowNanos) throws IOException;
}
