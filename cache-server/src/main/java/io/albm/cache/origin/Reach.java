// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

/** Hears of every attempt to connect to the origin, on event loops: says something when that changes, and never blocks. */
public interface Reach {

    /** A connection was made. */
    void reached();

    /** None could be made. */
    void unreachable(String reason);
}
