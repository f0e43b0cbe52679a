// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.source;

/** Memory that a source may work with while a document is open, in the books of who opened it. Thread-safe. */
public interface WorkingMemory {

    /** Enters bytes, if there is room for them now: before they are allocated. */
    boolean tryReserve(long bytes);

    /** Strikes out bytes that were entered: after they are let go. */
    void free(long bytes);

    /** The largest document that would be kept now. */
    long largestKeptBytes();
}
