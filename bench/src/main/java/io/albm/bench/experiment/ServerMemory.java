// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import java.util.Optional;

/** The memory of one {@link MemoryServer}: documents are in it while there is room, requests hold some of it. Thread-safe. */
interface ServerMemory {
    /** Memory that one request has; closing gives it back. */
    interface Held extends AutoCloseable {
        @Override
        void close();
    }

    /** Takes memory and touches all of it; empty if there is none left. */
    Optional<Held> hold(long bytes);

    /** Looks at some pages of the documents, drawn at random; waits for the disk where they are not in memory. */
    void look(int pages);

    /** Waits until no request holds anything, and brings all documents into memory. */
    void restore();
}
