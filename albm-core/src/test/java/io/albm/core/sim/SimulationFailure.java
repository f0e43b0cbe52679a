// SPDX-License-Identifier: Apache-2.0
package io.albm.core.sim;

import java.util.Collection;

/** An invariant or an event failed: the message has the seed, the virtual time and the last events before it. */
public final class SimulationFailure extends AssertionError {
    private static final long serialVersionUID = 1L;

    private final long seed;

    SimulationFailure(long seed, SimClock clock, String event, Collection<String> trace, Throwable cause) {
        super(
                "seed " + seed + " failed after " + clock.elapsed() + " at \"" + event + "\": " + cause.getMessage()
                        + "\n  last events:\n    " + String.join("\n    ", trace),
                cause);
        this.seed = seed;
    }

    /** Replays the failure when given to a new simulation of the same scenario. */
    public long seed() {
        return seed;
    }
}
