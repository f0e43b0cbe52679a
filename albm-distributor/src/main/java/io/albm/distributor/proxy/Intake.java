// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.net.AcknowledgedBytes;
import io.netty.channel.Channel;

/**
 * Whether a backend still takes the request that it was sent: until it has all of it, it does not owe a response, however
 * long ago the last byte was written. Requests that any socket holds at once are not watched, so that most cost no system
 * call. Confined to the connection's event loop.
 */
final class Intake {
    private static final int LEAST_BYTES = 16 << 10;

    private long sentBytes;
    private long takenBytes;

    /** A request begins. */
    void begin() {
        sentBytes = 0;
    }

    /** So much more of it was written. */
    void sent(long bytes) {
        sentBytes += bytes;
    }

    /** Begins to watch. */
    void watch(Channel to) {
        if (sentBytes >= LEAST_BYTES) {
            takenBytes = AcknowledgedBytes.of(to);
        }
    }

    /** Whether some was taken since this was asked last, or the watch began. */
    boolean isMoving(Channel to) {
        long before = takenBytes;
        watch(to);
        return takenBytes > before;
    }
}
