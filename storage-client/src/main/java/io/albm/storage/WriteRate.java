// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import java.time.Duration;

/**
 * How fast an I/O node grants credit, for some time: whoever sets it sets it anew before that is over, and if he dies the node
 * is not left slow.
 *
 * @param bytesPerSecond 0 for as fast as it can
 * @param phase how far in its round over the senders the node begins when it had no rate before, from 0 to less than 1: nodes
 *     that begin at different places do not all grant to the same sender first
 * @param lasts 1 ms to 60 s
 */
public record WriteRate(long bytesPerSecond, double phase, Duration lasts) {
    static final long MOST_MILLIS = 60_000;

    public WriteRate {
        if (bytesPerSecond < 0) {
            throw new IllegalArgumentException("rate of " + bytesPerSecond + " bytes/s: expected at least 0");
        }
        if (!(phase >= 0 && phase < 1)) {
            throw new IllegalArgumentException("rate with phase " + phase + ": expected 0 to less than 1");
        }
        if (lasts.toMillis() < 1 || lasts.toMillis() > MOST_MILLIS) {
            throw new IllegalArgumentException("rate for " + lasts + ": expected 1 ms to 60 s");
        }
    }
}
