// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.strategy;

/**
 * An I/O node's port as the coordinator sees it.
 *
 * @param node its id
 * @param bytesPerSecond at which it grants credit at most; 0 if it is as fast as it can
 * @param roundTripMicros the least of the last step, or for how long a probe has been on its way; 0 before the first
 * @param baseMicros round trip of the path without a queue; 0 if not known
 */
public record PortState(String node, double bytesPerSecond, long roundTripMicros, long baseMicros) {
    /** How long bytes wait at the port, in microseconds. */
    public long queueMicros() {
        return baseMicros == 0 ? 0 : Math.max(0, roundTripMicros - baseMicros);
    }
}
