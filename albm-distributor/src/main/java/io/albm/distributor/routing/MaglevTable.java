// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import java.util.Arrays;
import java.util.List;

/**
 * Which backend a hash belongs to, so that nearly all hashes keep their backend when another one comes or goes.
 *
 * <p>Google's Maglev hashing (Eisenbud et al., NSDI 2016, section 3.4): every backend has its own order of all places of a
 * table, and in turn each takes the first place of its order that is free. A lookup is one array read; shares differ by
 * less than one place. Built when the set of backends changes, in time proportional to the table. Immutable.
 */
final class MaglevTable {
    /** A prime, so that every stride visits every place; 65 places each for a thousand backends. */
    static final int PLACES = 65_537;

    private static final int FREE = -1;
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private final int[] owners = new int[PLACES];

    /** A table for those ids, of which there is at least one; an owner is an index into the list. */
    MaglevTable(List<String> ids) {
        Arrays.fill(owners, FREE);
        int[] next = new int[ids.size()];
        int[] stride = new int[ids.size()];
        for (int i = 0; i < next.length; i++) {
            long hash = hash(ids.get(i));
            next[i] = (int) Long.remainderUnsigned(hash, PLACES);
            stride[i] = (int) Long.remainderUnsigned(mix(hash), PLACES - 1) + 1;
        }
        for (int taken = 0; taken < PLACES; taken++) {
            int owner = taken % next.length;
            while (owners[next[owner]] != FREE) {
                next[owner] = (next[owner] + stride[owner]) % PLACES;
            }
            owners[next[owner]] = owner;
        }
    }

    private static long hash(String id) {
        long hash = FNV_OFFSET;
        for (int i = 0; i < id.length(); i++) {
            hash = (hash ^ id.charAt(i)) * FNV_PRIME;
        }
        return mix(hash);
    }

    /** Spreads every bit over all (the finalizer of MurmurHash3). */
    static long mix(long hash) {
        long once = (hash ^ (hash >>> 33)) * 0xff51afd7ed558ccdL;
        long twice = (once ^ (once >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return twice ^ (twice >>> 33);
    }

    static int place(long hash) {
        return (int) Long.remainderUnsigned(mix(hash), PLACES);
    }

    int owner(int place) {
        return owners[place];
    }
}
