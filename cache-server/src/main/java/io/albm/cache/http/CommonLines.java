// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.core.http.HeadWriter;
import io.albm.core.net.LoopClock;
import io.netty.handler.codec.DateFormatter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Date;

/** The lines that end every head: the same bytes for all replies of a second. Confined to its event loop. */
final class CommonLines {
    private static final byte[] CHUNKED = ascii("Transfer-Encoding: chunked\r\n");
    private static final byte[] CLOSE = ascii("Connection: close\r\n");
    private static final byte[] KEEP_ALIVE = ascii("Connection: keep-alive\r\n");
    private static final long MILLIS_PER_SECOND = 1_000;
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final LoopClock clock;
    private final InstantSource wallClock;
    private final LoadLine load;
    private byte[] date = {};
    private long nextSecondNanos;

    CommonLines(LoopClock clock, InstantSource wallClock, LoadLine load) {
        this.clock = clock;
        this.wallClock = wallClock;
        this.load = load;
        nextSecondNanos = clock.now();
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** {@code Date} of this second, with its line break. */
    byte[] date() {
        if (clock.now() - nextSecondNanos >= 0) {
            long millis = wallClock.millis();
            long left = MILLIS_PER_SECOND - Math.floorMod(millis, MILLIS_PER_SECOND);
            nextSecondNanos = clock.now() + left * NANOS_PER_MILLI;
            date = ascii("Date: " + DateFormatter.format(Date.from(Instant.ofEpochMilli(millis))) + "\r\n");
        }
        return date;
    }

    /** Ends a head with what this connection needs. */
    void end(HeadWriter head, boolean chunked, boolean http11, boolean keepAlive) {
        head.put(load.line());
        if (chunked) {
            head.put(CHUNKED);
        }
        if (!keepAlive) {
            head.put(CLOSE);
        } else if (!http11) {
            head.put(KEEP_ALIVE);
        }
        head.crlf();
    }
}
