// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cluster;

import io.albm.core.node.Member;
import java.util.concurrent.CompletableFuture;

/** This process's entry in the membership. It comes back by itself after a lost session, until closed. Thread-safe. */
public interface Registration extends AutoCloseable {
    /**
     * Completes when the entry is first visible to others. Fails with {@link DuplicateNodeException} when another
     * process holds the id, after waiting out a dead predecessor's session. Cancelled by {@link #close}.
     */
    CompletableFuture<Void> registered();

    /** Replaces what is announced; id and role must stay. Written as soon as the directory is there. */
    void update(Member self);

    /** Takes the entry out, as soon as the directory is there; at the latest it ends with the session. */
    @Override
    void close();
}
