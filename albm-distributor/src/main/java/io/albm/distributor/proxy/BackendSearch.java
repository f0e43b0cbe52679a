// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.distributor.backend.Backend;
import io.albm.distributor.http.Field;
import io.albm.distributor.http.Refusal;
import io.albm.distributor.http.RequestHead;
import io.albm.distributor.http.ResponseHead;
import io.albm.distributor.routing.Outcome;
import io.albm.distributor.routing.RouteCosts;
import io.albm.distributor.routing.RoutedRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds a backend that takes one request, and after that has failed another one, and keeps each attempt's books: who was
 * tried, when it was sent, how it ended.
 *
 * <p>A backend that cannot be connected to, or has no connection left to lend, is replaced by another at once, whatever
 * the method and without cost to the retry budget: no byte of the request was sent. When every backend is tight, the
 * request waits in the {@link WaitingRoom}.
 *
 * <p>Confined to its event loop.
 */
final class BackendSearch implements RoutedRequest, UpstreamPool.Applicant {
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
    private final RequestHead request;
    private List<String> tried = List.of();
    private @Nullable Backend backend;
    private boolean attempting;
    private boolean waiting;
    private boolean cancelled;
    private int attempts;
    private long ticket;
    private long sentAtNanos;
    private long latencyNanos;

    BackendSearch(Seeker seeker, Worker worker, RequestHead request) {
        this.seeker = seeker;
        this.worker = worker;
        this.request = request;
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
        Backend next = mayTryOnce() ? worker.choose(this) : null;
        if (next == Backend.WAIT) {
            waiting = true;
            worker.waitingRoom().enter(this);
        } else {
            go(next);
        }
    }

    /** Goes on after the attempt has failed: with the same backend on a new connection, or with another one. */
    void again(boolean onSameBackend) {
        if (onSameBackend && backend != null && mayTryOnce()) {
            connect(backend, true);
        } else {
            avoidLast();
            next();
        }
    }

    private boolean mayTryOnce() {
        return attempts < worker.settings().maxAttempts();
    }

    private void go(@Nullable Backend next) {
        waiting = false;
        if (next == null) {
            worker.stats().note(ProxyStats.Event.NO_BACKEND);
            seeker.foundNone(new Refusal(SERVICE_UNAVAILABLE, worker.whyNone()));
        } else {
            connect(next, false);
        }
    }

    private void connect(Backend to, boolean fresh) {
        attempts++;
        attempting = true;
        backend = to;
        ticket = to.begin(this);
        sentAtNanos = nowNanos();
        worker.pool(to).borrow(fresh, this);
    }

    @Override
    public void lent(UpstreamConnection connection) {
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
        tryNext(Outcome.FAILED);
    }

    @Override
    public void exhausted() {
        tryNext(Outcome.ABANDONED);
    }

    private void tryNext(Outcome outcome) {
        avoidLast();
        end(outcome);
        if (!cancelled) {
            next();
        }
    }

    private void avoidLast() {
        if (backend == null) {
            return;
        }
        if (tried.isEmpty()) {
            tried = new ArrayList<>();
        }
        tried.add(backend.id());
    }

    /** Finds nobody any more. */
    void cancel() {
        cancelled = true;
        if (waiting) {
            waiting = false;
            worker.waitingRoom().leave(this);
        }
    }

    // While every backend is tight.

    /** Asks again for a backend; false if all that may take the request are still tight. */
    boolean tryToGo() {
        if (!waiting) {
            return true;
        }
        Backend next = worker.choose(this);
        if (next == Backend.WAIT) {
            return false;
        }
        go(next);
        return true;
    }

    /** No backend had room in time. */
    void waitedTooLong() {
        refuseWaiting("every backend is tight, and no room was made within "
                + worker.settings().queueTimeout());
    }

    /** Too many wait already. */
    void foundNoSeat() {
        refuseWaiting("every backend is tight, and too many requests wait already");
    }

    private void refuseWaiting(String reason) {
        if (waiting) {
            waiting = false;
            seeker.foundNone(new Refusal(SERVICE_UNAVAILABLE, reason));
        }
    }

    // The attempt's books.

    /** The backend has begun to answer. */
    void answered() {
        latencyNanos = nowNanos() - sentAtNanos;
    }

    void learnCost(ResponseHead head) {
        if (backend != null && head.has(Field.ALBM_COST)) {
            backend.costReported(this, head.number(Field.ALBM_COST));
        }
    }

    /** The attempt is over; at once if there is none. */
    void end(Outcome outcome) {
        if (attempting && backend != null) {
            attempting = false;
            backend.end(ticket, outcome, latencyNanos, nowNanos());
            worker.waitingRoom().roomMade();
        }
    }

    /** The backend of the last attempt. */
    String lastBackend() {
        return backend == null ? NO_BACKEND : backend.id();
    }
}
