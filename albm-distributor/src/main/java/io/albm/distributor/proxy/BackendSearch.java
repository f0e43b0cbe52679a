// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.http.Field;
import io.albm.core.http.Refusal;
import io.albm.core.http.RequestHead;
import io.albm.core.http.ResponseHead;
import io.albm.distributor.backend.Backend;
import io.albm.distributor.routing.Outcome;
import io.albm.distributor.routing.RouteCosts;
import io.albm.distributor.stats.Traffic.Count;
import org.jspecify.annotations.Nullable;

/**
 * Finds a connection to a backend that takes one request, and after that has failed another one, and keeps each attempt's
 * books: when it was sent, what it said, how it ended.
 *
 * <p>A backend that cannot be connected to is replaced by another at once, whatever the method and without cost to the
 * retry budget: no byte of the request was sent.
 *
 * <p>Confined as {@link PlaceSearch}.
 */
final class BackendSearch extends PlaceSearch implements UpstreamPool.Applicant {
    /** For whom is searched; one of these is called for each {@link #seek} or {@link #again}, maybe before it returns. */
    interface Seeker {
        /** A backend takes the request on that connection. */
        void found(UpstreamConnection connection);

        /** No backend takes it. */
        void foundNone(Refusal why);
    }

    private static final int SERVICE_UNAVAILABLE = 503;
    private static final String NO_BACKEND = "-";
    private static final byte[] NOTHING = {};
    private static final long TOLD_NOTHING = -1;

    private final Seeker seeker;
    private final RequestHead request;
    private @Nullable Announcement announcement;
    private long toldFrom = TOLD_NOTHING;
    private boolean fresh;
    private long sentAtNanos;
    private long connectNanos;
    private long latencyNanos;

    BackendSearch(Seeker seeker, Worker worker, Destination destination, RequestHead request) {
        super(worker, destination);
        this.seeker = seeker;
        this.request = request;
    }

    @Override
    public long hash() {
        return request.pathHash();
    }

    @Override
    public int route() {
        return RouteCosts.routeOf(request.pathHash());
    }

    /** Goes on after the attempt has failed: with the same backend on a new connection, or with another one. */
    void again(boolean onSameBackend) {
        count(Count.RETRIES);
        if (onSameBackend) {
            fresh = true;
            seekAgain();
        } else {
            seekAnother();
        }
    }

    @Override
    void placed(Backend at) {
        boolean onlyNew = fresh;
        fresh = false;
        sentAtNanos = nowNanos();
        worker.pool(at).borrow(onlyNew, this);
    }

    @Override
    void waitBegins() {
        announcement = destination.pool().announcements().enter(request);
    }

    @Override
    void waitEnds() {
        Announcement ended = announcement;
        if (ended != null) {
            announcement = null;
            destination.pool().announcements().leave(ended);
        }
    }

    /** What the backend of the last attempt is to be told of those who wait; empty for nothing. */
    byte[] announced() {
        Backend told = backend();
        if (told == null) {
            return NOTHING;
        }
        Announcements announcements = destination.pool().announcements();
        long from = announcements.told(told);
        byte[] list = announcements.next(told, request);
        toldFrom = list.length == 0 ? TOLD_NOTHING : from;
        return list;
    }

    /** The last attempt was lost without an answer, maybe unread, and so was what it took along. */
    void unheard() {
        Backend told = backend();
        if (told != null && toldFrom != TOLD_NOTHING) {
            destination.pool().announcements().unheard(told, toldFrom);
        }
    }

    @Override
    void unplaced(String reason) {
        seeker.foundNone(new Refusal(SERVICE_UNAVAILABLE, reason));
    }

    @Override
    public void lent(UpstreamConnection connection) {
        connectNanos = nowNanos() - sentAtNanos;
        if (isCancelled()) {
            connection.giveBack();
            end(Outcome.ABANDONED);
        } else {
            seeker.found(connection);
        }
    }

    @Override
    public void connectFailed(String reason) {
        worker.stats().note(ProxyStats.Event.CONNECT_FAILURE);
        end(Outcome.FAILED);
        if (!isCancelled()) {
            count(Count.RETRIES);
            seekAnother();
        }
    }

    @Override
    boolean cancel() {
        if (isPlaced()) {
            count(Count.CLIENT_ABORTS);
        }
        return super.cancel();
    }

    // The attempt's books.

    /** The backend has begun to answer. */
    void answered(int status) {
        latencyNanos = nowNanos() - sentAtNanos;
        Backend answering = backend();
        if (answering != null) {
            answering.traffic().responded(status);
        }
    }

    /** The request was answered without a backend. */
    void answeredHere(int status) {
        destination.pool().traffic().responded(status);
    }

    /** Takes in what a response says about its request, and about the backend. */
    void learn(ResponseHead head) {
        Backend answering = backend();
        if (answering != null && head.has(Field.ALBM_COST)) {
            answering.costReported(this, head.number(Field.ALBM_COST));
        }
        if (answering != null && head.has(Field.ENDPOINT_LOAD_METRICS)) {
            String report = head.value(Field.ENDPOINT_LOAD_METRICS);
            if (report == null || !answering.loadReported(report, nowNanos())) {
                worker.stats().note(ProxyStats.Event.MALFORMED_LOAD_REPORT);
            }
        }
    }

    /** The attempt is over; at once if there is none. */
    void end(Outcome outcome) {
        end(outcome, connectNanos, latencyNanos);
    }

    /** The backend of the last attempt. */
    String lastBackend() {
        Backend last = backend();
        return last == null ? NO_BACKEND : last.id();
    }
}
