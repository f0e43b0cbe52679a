// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

/**
 * What a policy may know when it is made.
 *
 * @param capacityBytes most bytes that resident documents may have together, at least 0
 * @param window the requests that wait, which a policy may ask and must not change
 */
public record PolicyContext<K>(long capacityBytes, SchedulingWindow<K> window) {

    public PolicyContext {
        if (capacityBytes < 0) {
            throw new IllegalArgumentException("capacity is " + capacityBytes + " bytes; expected 0 or more");
        }
    }
}
