// SPDX-License-Identifier: Apache-2.0
package io.albm.core.role;

import io.albm.core.node.Member;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The work of one process. The launcher calls each method once, in this order, from one thread, but {@link #failure}, which it asks first. */
public interface RoleService extends AutoCloseable {

    /**
     * Binds sockets and serves.
     *
     * @return how to announce this process, see {@link RoleContext#member}; the launcher adds the admin endpoint
     */
    Member start() throws Exception;

    /**
     * Finds out from the cluster whether this process may be a part of it, for as long as that takes. Must not block.
     *
     * @return done when the process may join; fails as {@link #start} does if it must end
     */
    default CompletableFuture<Void> admission() {
        return CompletableFuture.completedFuture(null);
    }

    /**
     * Tells that the service cannot go on. The process ends then, for whoever watches it to start it again.
     *
     * @return fails with what to say of that; is never done otherwise
     */
    default CompletableFuture<Void> failure() {
        return new CompletableFuture<>();
    }

    /**
     * Takes no new work and finishes what is in flight. The process has left the membership before.
     *
     * @param bound after this, what is not finished is given up
     */
    void drain(Duration bound) throws Exception;

    /** Releases everything; also called if {@link #start} failed halfway. */
    @Override
    void close();
}
