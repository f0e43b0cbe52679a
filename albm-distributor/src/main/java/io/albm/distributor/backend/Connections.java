// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.backend;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How many connections this distributor has to one backend, used and idle, over all event loops. Each loop keeps idle ones
 * of its own; a loop that needs one more than the limit has another loop close an idle one, so that a server which
 * gives each connection a thread or a process is not held by those that nobody uses. For the moment that this takes there
 * is one more than the limit; requests never are (see {@link io.albm.distributor.routing.BackendLoad#began}). Thread-safe.
 */
public final class Connections {
    /** The idle connections of one event loop. */
    public interface Idle {
        /** How many there are, or were a moment ago. */
        int idle();

        /** Closes the one that has been idle for longest, if there still is one. From any thread. */
        void closeOldest();
    }

    private final AtomicInteger open = new AtomicInteger();
    private final List<Idle> loops = new CopyOnWriteArrayList<>();
    private volatile boolean kept = true;

    /** Lets idle connections be closed when another loop needs one. */
    public void join(Idle loop) {
        loops.add(loop);
    }

    /** From now on a connection that is idle is not worth keeping: the backend is gone. */
    public void keepNone() {
        kept = false;
    }

    /** Whether idle connections are kept. */
    public boolean areKept() {
        return kept;
    }

    /** Connections there are, including those that are being made. */
    public int open() {
        return open.get();
    }

    /** Of those, connections that no request uses. */
    public int idle() {
        return loops.stream().mapToInt(Idle::idle).sum();
    }

    /** Counts one that is about to be made, and makes room for it. */
    public void opening(int limit) {
        if (open.incrementAndGet() > limit) {
            loops.stream().filter(loop -> loop.idle() > 0).findAny().ifPresent(Idle::closeOldest);
        }
    }

    /** Counts one that is no more, or was never made. */
    public void closed() {
        open.decrementAndGet();
    }
}
