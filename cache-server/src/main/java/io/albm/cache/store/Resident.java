// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.store;

/** What its owner keeps in main memory under one key: a document, and whatever the owner knows of it. */
public interface Resident {

    /** The bytes. The {@link ResidentSet} holds one reference on them for as long as this is in it. */
    Document document();

    /**
     * What it takes on the heap while it is kept, estimated from above: names, heads, its places in the index and the policy.
     * Never changes while it is in a {@link ResidentSet}.
     */
    default long heapBytes() {
        return 0;
    }

    /** Main memory that it takes while it is kept. */
    default long bytes() {
        return document().bytes() + heapBytes();
    }

    /** How many requests it has answered from memory. May be read without the lock, and be late then. */
    long requests();
}
