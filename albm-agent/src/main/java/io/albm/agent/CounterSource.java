// SPDX-License-Identifier: Apache-2.0
package io.albm.agent;

import java.io.Closeable;
import java.io.IOException;

/**
 * One counter of this host. A source keeps its kernel files open and whatever it needs between two samples; it
 * allocates nothing per sample. Turned by one thread.
 */
interface CounterSource extends Closeable {
    /**
     * The counter's value now, in the unit that its {@link HostCounter} names, finite and not negative.
     *
     * @param nowNanos monotonic time, for counters that are rates
     * @throws IOException if the kernel does not give it now; the last value stands
     */
    double sample(long nowNanos) throws IOException;
}
