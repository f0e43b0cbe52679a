// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

import java.util.function.ToIntFunction;

/**
 * What a policy may know when it is made.
 *
 * @param capacityBytes most bytes that resident documents may have together, at least 0
 * @param window the requests that wait, which a policy may ask and must not change
 * @param readCost what a hit saves
 * @param nameBytes what it takes to remember a key, at least 0: of others than residents, a policy remembers no more than
 *     twice what these take
 * @param expectedDocuments how many it is to take over, so that its tables need not grow meanwhile; at least 0
 */
public record PolicyContext<K>(
        long capacityBytes,
        SchedulingWindow<K> window,
        ReadCost readCost,
        ToIntFunction<? super K> nameBytes,
        int expectedDocuments) {

    public PolicyContext {
        Capacity.check(capacityBytes);
    }

    /** For a policy that takes over from none. */
    public PolicyContext(long capacityBytes, SchedulingWindow<K> window, ReadCost readCost) {
        this(capacityBytes, window, readCost, key -> 0, 0);
    }

    /** Where a hit is a hit, whatever its size. */
    public PolicyContext(long capacityBytes, SchedulingWindow<K> window) {
        this(capacityBytes, window, ReadCost.PER_OBJECT);
    }
}
