// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.bounds;

import java.util.random.RandomGenerator;

/** What a client does with an answer. */
enum Behaviour {
    /** Takes the whole document as fast as it comes. */
    WHOLE(60),
    /** Takes a part of it, by a range request. */
    RANGE(20),
    /** Takes little at a time, with pauses, through a small window, and gives up after a while. */
    SLOW(5),
    /** Goes away in the middle. */
    ABORT(15);

    private static final int ALL = 100;

    private final int share;

    Behaviour(int share) {
        this.share = share;
    }

    /** By their shares. */
    static Behaviour draw(RandomGenerator random) {
        int drawn = random.nextInt(ALL);
        for (Behaviour behaviour : values()) {
            drawn -= behaviour.share;
            if (drawn < 0) {
                return behaviour;
            }
        }
        throw new AssertionError("shares must be " + ALL + " together");
    }
}
