// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

/** What every policy asks of a capacity. */
final class Capacity {
    private Capacity() {}

    /** The capacity itself, in bytes, if it is one. */
    static long check(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("capacity is " + bytes + " bytes; expected 0 or more");
        }
        return bytes;
    }
}
