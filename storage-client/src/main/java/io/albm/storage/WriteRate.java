// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import java.time.Duration;

/**
 * How fast an I/O node grants credit, for some time: whoever sets it sets it anew before that is over, and if he dies the node
 * is not left slow.
 *
 * @param bytesPerSecond 0 for as fast as it can
 * @param fanOut how many times what a sender's link carries all nodes with such a rate take together, rounded up, 1 to 100 000: the node
 *     shares its rate among as many senders at least, if so many wait, so that nodes that grant to one at once do not overfill his link
 * @param phase how far in its round over the senders the node begins when it had no rate before, from 0 to less than 1: nodes
 *     that begin at different places do not all grant to the same sender first
 * @param lasts 1 ms to 60 s
 */
public record WriteRate(long bytesPerSecond, int fanOut, double phase, Duration lasts) {
    static final long MOST_MILLIS = 60_000;
    static final int MOST_FAN_OUT = 100_000;

    public WriteRate {
        if (bytesPerSecond < 0) {
            throw new IllegalArgumentException("rate of " + bytesPerSecond + " bytes/s: expected at least 0");
        }
        if (fanOut < 1 || fanOut > MOST_FAN_OUT) {
            throw new IllegalArgumentException("rate with fan-out " + fanOut + ": expected 1 to " + MOST_FAN_OUT);
        }
        if (!(phase >= 0 && phase < 1)) {
            throw new IllegalArgumentException("rate with phase " + phase + ": expected 0 to less than 1");
        }
        if (lasts.toMillis() < 1 || lasts.toMillis() > MOST_MILLIS) {
            throw new IllegalArgumentException("rate for " + lasts + ": expected 1 ms to 60 s");
        }
    }
}
