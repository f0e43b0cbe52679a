// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import java.util.random.RandomGenerator;

/** Paper P1's mix, section 4: half of the requests cost next to nothing, the others hold memory while they run. */
enum RequestKind {
    BYTE("/byte", 0, 0.5),
    FIVE_MEGABYTES("/hold5", 5, 0.4),
    FIFTEEN_MEGABYTES("/hold15", 15, 0.1);

    private static final int MEGABYTE = 1_000_000;

    private final String path;
    private final int megabytes;
    private final double share;

    RequestKind(String path, int megabytes, double share) {
        this.path = path;
        this.megabytes = megabytes;
        this.share = share;
    }

    String path() {
        return path;
    }

    /** Bytes that the server holds for the time of the request. */
    long heldBytes() {
        return (long) megabytes * MEGABYTE;
    }

    /** Draws one by its share. */
    static RequestKind draw(RandomGenerator random) {
        double drawn = random.nextDouble();
        if (drawn < BYTE.share) {
            return BYTE;
        }
        return drawn < BYTE.share + FIVE_MEGABYTES.share ? FIVE_MEGABYTES : FIFTEEN_MEGABYTES;
    }
}
