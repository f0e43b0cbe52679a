// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

/**
 * What it costs to read a document again, which is what keeping it saves. A policy that heeds it asks at every
 * decision, so the answer may change at any time. Thread-safe.
 */
@FunctionalInterface
public interface ReadCost {

    /** Every read costs the same: the policy then tries for object hits. */
    ReadCost PER_OBJECT = bytes -> 1;

    /**
     * The cost of one read in any unit, more than 0; only ratios matter.
     *
     * @param bytes size of the document, at least 0
     */
    double of(long bytes);
}
