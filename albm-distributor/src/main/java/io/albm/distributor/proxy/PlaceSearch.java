// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.topology.Priority;
import io.albm.distributor.backend.Backend;
import io.albm.distributor.backend.BackendChooser;
import io.albm.distributor.routing.BackendLoad;
import io.albm.distributor.routing.Outcome;
import io.albm.distributor.stats.Traffic.Count;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How one request, or one TCP connection, gets its place at a backend and gives it back: asks the policy, waits in the
 * {@link WaitingRoom} while every backend is full or tight, and remembers which ones have failed it.
 *
 * <p>Confined to its event loop, but for {@link #reserve} and what a policy may know, while it waits.
 */
abstract class PlaceSearch implements Guest {
    final Worker worker;
    final Destination destination;
    private List<String> tried = List.of();
    private @Nullable Backend backend;
    private boolean placed;
    private boolean waiting;
    private boolean cancelled;
    private int attempts;
    private final long beganNanos;
    private long sinceNanos;
    private long queuedNanos;
    private long ticket;

    PlaceSearch(Worker worker, Destination destination) {
        this.worker = worker;
        this.destination = destination;
        this.beganNanos = nowNanos();
    }

    /** The place at that backend is taken. This or {@link #unplaced} is called for each search, maybe before it returns. */
    abstract void placed(Backend at);

    /** There is no place. */
    abstract void unplaced(String reason);

    /** Waiting begins. */
    void waitBegins() {}

    /** Waiting ends, whatever comes of it. */
    void waitEnds() {}

    // Going from one to the next.

    /** Takes a place, now or when there is one. */
    void seek() {
        Backend next = mayTryOnce() ? room().take(this, worker.random()) : null;
        if (next == Backend.WAIT || next == Backend.FULL) {
            waiting = true;
            waitBegins();
            sinceNanos = nowNanos();
            room().enter(this);
        } else {
            go(next);
        }
    }

    /** As {@link #seek}, at another backend than those that have failed, of which the last is one. */
    void seekAnother() {
        if (backend != null) {
            count(Count.REDISPATCHES);
            avoid(backend.id());
        }
        seek();
    }

    private void avoid(String backendId) {
        if (tried.isEmpty()) {
            tried = new ArrayList<>();
        }
        tried.add(backendId);
    }

    /** Takes a place at the last backend once more; otherwise as {@link #seek}. */
    void seekAgain() {
        Backend last = backend;
        if (last != null && mayTryOnce() && reserve(last)) {
            go(last);
        } else {
            seek();
        }
    }

    private WaitingRoom room() {
        return destination.pool().room();
    }

    private boolean mayTryOnce() {
        return attempts < worker.settings().maxAttempts();
    }

    private void go(@Nullable Backend next) {
        if (next == null) {
            worker.stats().note(ProxyStats.Event.NO_BACKEND);
            unplaced(destination.chooser().whyNone());
        } else {
            attempts++;
            placed(next);
        }
    }

    @Override
    public boolean reserve(Backend at) {
        long taken = at.begin(this);
        if (taken == BackendLoad.FULL) {
            return false;
        }
        ticket = taken;
        backend = at;
        placed = true;
        return true;
    }

    /**
     * Takes no place any more; one that is taken is given back by {@link #end}.
     *
     * @return whether it waited for one
     */
    boolean cancel() {
        boolean waited = waiting;
        cancelled = true;
        if (waited) {
            endWait();
            room().leave(this);
        }
        return waited;
    }

    boolean isCancelled() {
        return cancelled;
    }

    /**
     * Gives the place back, if there is one.
     *
     * @param connectNanos how long the connection took; as the latency ignored unless answered
     */
    void end(Outcome outcome, long connectNanos, long latencyNanos) {
        Backend used = backend;
        if (placed && used != null) {
            placed = false;
            used.end(ticket, outcome, latencyNanos, nowNanos());
            if (outcome == Outcome.ANSWERED || outcome == Outcome.ERRORED) {
                used.traffic().took(queuedNanos, connectNanos, latencyNanos - connectNanos, nowNanos() - beganNanos);
            }
            room().roomMade(worker.loop());
        }
    }

    /** Where a client is to be found that has the place and moves nothing. */
    StalledClients.OnLoop stalled() {
        return destination.pool().stalled().on(worker);
    }

    /** Whether a place is taken and not given back. */
    boolean isPlaced() {
        return placed && !waiting;
    }

    /** The backend of the last place; null if there was none. */
    @Nullable
    Backend backend() {
        return backend;
    }

    /** Counts something for the backend of the last place. */
    void count(Count what) {
        if (backend != null) {
            backend.traffic().note(what);
        }
    }

    // While every backend is full or tight.

    @Override
    public void admitted(@Nullable Backend to) {
        endWait();
        queuedNanos += worker.clock().tick() - sinceNanos;
        if (cancelled) {
            end(Outcome.ABANDONED, 0, 0);
        } else {
            go(to);
        }
    }

    @Override
    public void turnedAway(String reason) {
        if (waiting) {
            endWait();
            worker.clock().tick();
            unplaced(reason);
        }
    }

    private void endWait() {
        if (waiting) {
            waiting = false;
            waitEnds();
        }
    }

    @Override
    public BackendChooser chooser() {
        return destination.chooser();
    }

    @Override
    public Priority priority() {
        return destination.priority();
    }

    @Override
    public long sinceNanos() {
        return sinceNanos;
    }

    @Override
    public boolean isRetry() {
        return !tried.isEmpty();
    }

    @Override
    public EventExecutor loop() {
        return worker.loop();
    }

    @Override
    public boolean tried(String backendId) {
        return tried.contains(backendId);
    }

    @Override
    public long nowNanos() {
        return worker.clock().now();
    }
}
