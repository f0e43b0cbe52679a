// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.topology.Priority;
import io.albm.distributor.backend.Backend;
import io.albm.distributor.backend.BackendChooser;
import io.albm.distributor.http.Field;
import io.albm.distributor.http.Refusal;
import io.albm.distributor.http.RequestHead;
import io.albm.distributor.http.ResponseHead;
import io.albm.distributor.routing.BackendLoad;
import io.albm.distributor.routing.Outcome;
import io.albm.distributor.routing.RouteCosts;
import io.albm.distributor.stats.Traffic.Count;
import io.netty.util.concurrent.EventExecutor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds a backend that takes one request, and after that has failed another one, and keeps each attempt's books: who was
 * tried, when it was sent, how it ended.
 *
 * <p>A backend that cannot be connected to is replaced by another at once, whatever the method and without cost to the
 * retry budget: no byte of the request was sent. When every backend is full or tight, the request waits in the
 * {@link WaitingRoom}.
 *
 * <p>Confined to its event loop, but for {@link #reserve} and what a policy may know, while it waits.
 */
final class BackendSearch implements WaitingRoom.Guest, UpstreamPool.Applicant {
    /** For whom is searched; one of these is called for each {@link #next} or {@link #again}, maybe before it returns. */
    interface Seeker {
        /** A backend takes the request on that connection. */
        void found(UpstreamConnection connection);

        /** No backend takes it. */
        void foundNone(Refusal why);
    }

    private static final int SERVICE_UNAVAILABLE = 503;
    private static final String NO_BACKEND = "-";

    private final Seeker seeker;
    private final Worker worker;
    private final Destination destination;
    private final RequestHead request;
    private List<String> tried = List.of();
    private @Nullable Backend backend;
    private boolean attempting;
    private boolean waiting;
    private boolean cancelled;
    private int attempts;
    private final long beganNanos;
    private long sinceNanos;
    private long queuedNanos;
    private long lentAtNanos;
    private long ticket;
    private long sentAtNanos;
    private long latencyNanos;

    BackendSearch(Seeker seeker, Worker worker, Destination destination, RequestHead request) {
        this.seeker = seeker;
        this.worker = worker;
        this.destination = destination;
        this.request = request;
        this.beganNanos = nowNanos();
    }

    // What a policy may know.

    @Override
    public long hash() {
        return request.pathHash();
    }

    @Override
    public int route() {
        return RouteCosts.routeOf(request.pathHash());
    }

    @Override
    public boolean tried(String backendId) {
        return tried.contains(backendId);
    }

    @Override
    public long nowNanos() {
        return worker.clock().now();
    }

    // Going from one to the next.

    /** Asks the policy for a backend and that for a connection. */
    void next() {
        Backend next = mayTryOnce() ? destination.pool().room().take(this, worker.random()) : null;
        if (next == Backend.WAIT || next == Backend.FULL) {
            waiting = true;
            sinceNanos = nowNanos();
            destination.pool().room().enter(this);
            worker.dropStalled(destination.pool().room().patience());
        } else {
            go(next, false);
        }
    }

    /** Goes on after the attempt has failed: with the same backend on a new connection, or with another one. */
    void again(boolean onSameBackend) {
        count(Count.RETRIES);
        if (!onSameBackend || backend == null) {
            avoidLast();
            next();
        } else if (mayTryOnce() && reserve(backend)) {
            go(backend, true);
        } else {
            next();
        }
    }

    private boolean mayTryOnce() {
        return attempts < worker.settings().maxAttempts();
    }

    @Override
    public boolean reserve(Backend at) {
        long taken = at.begin(this);
        if (taken == BackendLoad.FULL) {
            return false;
        }
        ticket = taken;
        backend = at;
        attempting = true;
        return true;
    }

    private void go(@Nullable Backend to, boolean fresh) {
        if (to == null) {
            worker.stats().note(ProxyStats.Event.NO_BACKEND);
            seeker.foundNone(
                    new Refusal(SERVICE_UNAVAILABLE, destination.chooser().whyNone()));
        } else {
            attempts++;
            sentAtNanos = nowNanos();
            worker.pool(to).borrow(fresh, this);
        }
    }

    @Override
    public void lent(UpstreamConnection connection) {
        lentAtNanos = nowNanos();
        if (cancelled) {
            connection.giveBack();
            end(Outcome.ABANDONED);
        } else {
            seeker.found(connection);
        }
    }

    @Override
    public void connectFailed(String reason) {
        worker.stats().note(ProxyStats.Event.CONNECT_FAILURE);
        avoidLast();
        end(Outcome.FAILED);
        if (!cancelled) {
            count(Count.RETRIES);
            next();
        }
    }

    private void avoidLast() {
        if (backend == null) {
            return;
        }
        count(Count.REDISPATCHES);
        if (tried.isEmpty()) {
            tried = new ArrayList<>();
        }
        tried.add(backend.id());
    }

    /** Finds nobody any more. */
    void cancel() {
        cancelled = true;
        if (attempting && !waiting) {
            count(Count.CLIENT_ABORTS);
        }
        if (waiting) {
            waiting = false;
            destination.pool().room().leave(this);
        }
    }

    // While every backend is full or tight.

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
    public void admitted(@Nullable Backend to) {
        waiting = false;
        queuedNanos += worker.clock().tick() - sinceNanos;
        if (cancelled) {
            end(Outcome.ABANDONED);
        } else {
            go(to, false);
        }
    }

    @Override
    public void turnedAway(String reason) {
        if (waiting) {
            waiting = false;
            worker.clock().tick();
            seeker.foundNone(new Refusal(SERVICE_UNAVAILABLE, reason));
        }
    }

    // The attempt's books.

    /** The backend has begun to answer. */
    void answered(int status) {
        latencyNanos = nowNanos() - sentAtNanos;
        if (backend != null) {
            backend.traffic().responded(status);
        }
    }

    /** The request was answered without a backend. */
    void answeredHere(int status) {
        destination.pool().traffic().responded(status);
    }

    /** Counts something for the backend of the last attempt. */
    void count(Count what) {
        if (backend != null) {
            backend.traffic().note(what);
        }
    }

    /** Takes in what a response says about its request, and about the backend. */
    void learn(ResponseHead head) {
        if (backend != null && head.has(Field.ALBM_COST)) {
            backend.costReported(this, head.number(Field.ALBM_COST));
        }
        if (backend != null && head.has(Field.ENDPOINT_LOAD_METRICS)) {
            String report = head.value(Field.ENDPOINT_LOAD_METRICS);
            if (report == null || !backend.loadReported(report, nowNanos())) {
                worker.stats().note(ProxyStats.Event.MALFORMED_LOAD_REPORT);
            }
        }
    }

    /** The attempt is over; at once if there is none. */
    void end(Outcome outcome) {
        if (attempting && backend != null) {
            attempting = false;
            backend.end(ticket, outcome, latencyNanos, nowNanos());
            if (outcome == Outcome.ANSWERED || outcome == Outcome.ERRORED) {
                long connectNanos = lentAtNanos - sentAtNanos;
                backend.traffic().took(queuedNanos, connectNanos, latencyNanos - connectNanos, nowNanos() - beganNanos);
            }
            destination.pool().room().roomMade(worker.loop());
        }
    }

    /** The backend of the last attempt. */
    String lastBackend() {
        return backend == null ? NO_BACKEND : backend.id();
    }
}
