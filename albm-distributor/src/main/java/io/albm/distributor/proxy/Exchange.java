// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.http.Framing;
import io.albm.core.http.Refusal;
import io.albm.core.http.RequestHead;
import io.albm.core.http.ResponseHead;
import io.albm.core.http.Trailers;
import io.albm.distributor.http.AccessLine;
import io.albm.distributor.http.ResumePoint;
import io.albm.distributor.routing.Outcome;
import io.albm.distributor.stats.Traffic.Count;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response, over as many backends as it takes: {@link BackendSearch} finds them, {@link Failure} says
 * what may be done after one has failed, and this class passes bytes.
 *
 * <p>Bytes stream: the buffer that is read from one side is the buffer that is written to the other, and when the writer
 * holds more than its mark, the reader stops. Of a body never more is held than one read plus the two sockets' write
 * marks. On the way of a request that succeeds at once nothing is allocated but these two objects and the buffers.
 *
 * <p>Confined to the event loop of its client; so are its backend connections.
 */
final class Exchange implements BackendSearch.Seeker, Borrower {
    private static final int SERVER_ERROR = 500;
    private static final int BAD_GATEWAY = 502;
    private static final int GATEWAY_TIMEOUT = 504;
    private static final int CONTINUE = 100;
    private static final int SWITCHING_PROTOCOLS = 101;
    private static final int CLIENT_GONE = 499;

    private enum Phase {
        SEARCHING,
        AWAITING_RESPONSE,
        RESPONDING,
        OVER
    }

    private final ClientStream client;
    private final Worker worker;
    private final RequestHead request;
    private final RequestBody body;
    private final BackendSearch search;
    private Phase phase = Phase.SEARCHING;
    private @Nullable UpstreamConnection upstream;
    private @Nullable ResponseHead response;
    private @Nullable ResumePoint resumePoint;
    private boolean starting;
    private long sentBytes;
    private long beganNanos;

    /**
     * An exchange that has not begun.
     *
     * @param destination where the request goes, for good
     * @param request belongs to the exchange from now on
     * @param body what follows it
     */
    Exchange(ClientStream client, Worker worker, Destination destination, RequestHead request, RequestBody body) {
        this.client = client;
        this.worker = worker;
        this.request = request;
        this.body = body;
        this.search = new BackendSearch(this, worker, destination, request);
    }

    /** Sends the request as far as it can be sent now; {@link RequestBody#flush} is to be called afterwards. */
    void start() {
        beganNanos = worker.clock().now();
        starting = true;
        worker.budget().deposit();
        search.seek();
        starting = false;
    }

    // The request.

    @Override
    public void found(UpstreamConnection connection) {
        upstream = connection;
        phase = Phase.AWAITING_RESPONSE;
        connection.lend(this, request.method(), !client.takesChunks());
        connection.send(head(connection));
        body.goTo(connection);
        if (!starting) {
            connection.flush();
        }
    }

    private ByteBuf head(UpstreamConnection to) {
        return resumePoint == null
                ? worker.requests().write(request, client.client(), to.authority(), search.announced(), to.allocator())
                : worker.requests()
                        .writeRest(request, client.client(), to.authority(), to.allocator(), resumePoint, sentBytes);
    }

    @Override
    public void upstreamWritable() {
        body.upstreamWritable();
    }

    // The response.

    @Override
    public void interimHead(ResponseHead head) {
        if (head.status() == SWITCHING_PROTOCOLS) {
            switchProtocols(head, upstream);
        } else if (!responseBegan()) {
            client.interim(head);
            if (head.status() == CONTINUE) {
                body.mayCome();
            }
        }
    }

    private void switchProtocols(ResponseHead head, @Nullable UpstreamConnection to) {
        if (to == null || responseBegan() || !request.isUpgrade() || !client.canSwitchProtocols()) {
            upstreamFailed("response switches to a protocol that was not asked for", false);
            return;
        }
        search.answered(SWITCHING_PROTOCOLS);
        var tunnel = new Tunnel(
                worker, search.stalled(), client.traffic(), to.traffic(), () -> search.end(Outcome.ANSWERED));
        to.switchProtocols(tunnel.back());
        client.switchProtocols(head, tunnel.front());
        tunnel.open();
        over(SWITCHING_PROTOCOLS);
    }

    @Override
    public void responseHead(ResponseHead head) {
        phase = Phase.RESPONDING;
        search.answered(head.status());
        search.learn(head);
        if (response == null) {
            response = head;
            client.respond(head);
        } else {
            goOnWith(head);
        }
    }

    private void goOnWith(ResponseHead head) {
        boolean fits = resumePoint != null && resumePoint.isContinuedBy(head, sentBytes);
        worker.heads().recycle(head);
        if (fits) {
            worker.stats().note(ProxyStats.Event.RESUME);
        } else {
            abort();
            client.cut();
        }
    }

    private boolean responseBegan() {
        return response != null;
    }

    @Override
    public void responseBody(ByteBuf bytes) {
        if (phase != Phase.RESPONDING) {
            bytes.release();
            return;
        }
        sentBytes += bytes.readableBytes();
        client.body(bytes);
        if (!client.isWritable()) {
            client.flush();
        }
        awaitClient();
    }

    @Override
    public @Nullable Channel shortcut() {
        return phase == Phase.RESPONDING ? client.shortcut() : null;
    }

    @Override
    public void responseMoved(long bytes) {
        sentBytes += bytes;
        client.traffic().add(Count.BYTES_OUT, bytes);
        awaitClient();
    }

    private void awaitClient() {
        if (!client.isWritable() && upstream != null) {
            upstream.pauseReading();
            client.awaitWritable(search.stalled().requests());
        }
    }

    @Override
    public void responseTrailers(Trailers trailers) {
        if (phase == Phase.RESPONDING) {
            client.trailers(trailers);
        }
    }

    @Override
    public void responseEnd() {
        if (phase != Phase.RESPONDING) {
            return;
        }
        UpstreamConnection used = upstream;
        letUpstreamGo();
        if (used != null && body.isComplete()) {
            used.giveBack();
        } else if (used != null) {
            used.abandon();
        }
        int status = status(SERVER_ERROR);
        search.end(status >= SERVER_ERROR ? Outcome.ERRORED : Outcome.ANSWERED);
        over(status);
        client.finish();
    }

    @Override
    public void responsePaused() {
        client.flush();
    }

    /** The client takes bytes again. */
    void clientWritable() {
        if (upstream != null) {
            upstream.resumeReading();
        }
    }

    // Failures.

    @Override
    public void lost(String reason) {
        upstreamFailed(reason, upstream != null && upstream.isReused());
    }

    @Override
    public void timedOut() {
        if (responseBegan()) {
            upstreamFailed("no bytes for " + worker.settings().responseTimeout(), false);
        } else {
            search.count(Count.RESPONSE_ERRORS);
            dropUpstream(Outcome.FAILED);
            giveUp(
                    GATEWAY_TIMEOUT,
                    "backend " + search.lastBackend() + " sent nothing within "
                            + worker.settings().responseTimeout());
        }
    }

    private void upstreamFailed(String reason, boolean connectionReused) {
        search.count(responseBegan() ? Count.SERVER_ABORTS : Count.RESPONSE_ERRORS);
        if (!responseBegan()) {
            search.unheard();
        }
        dropUpstream(Outcome.FAILED);
        if (phase == Phase.OVER) {
            return;
        }
        var failure = new Failure(
                request.method().isIdempotent(), body.hasBegun(), responseBegan(), isResumable(), connectionReused);
        switch (failure.remedy()) {
            case SAME_BACKEND -> tryAgain(true);
            case ANOTHER_BACKEND -> tryAgain(false);
            case NONE -> giveUp(BAD_GATEWAY, "backend " + search.lastBackend() + " failed: " + reason);
        }
    }

    /** Nobody has a request's body any more that was passed on. */
    private boolean isResumable() {
        if (resumePoint == null && response != null && request.framing() == Framing.NONE) {
            resumePoint = ResumePoint.of(request.method(), response).orElse(null);
        }
        return resumePoint != null;
    }

    private void tryAgain(boolean onSameBackend) {
        if (worker.budget().withdraw()) {
            worker.stats().note(ProxyStats.Event.RETRY);
            phase = Phase.SEARCHING;
            if (!body.isComplete()) {
                client.pauseReading();
            }
            search.again(onSameBackend);
        } else {
            worker.stats().note(ProxyStats.Event.BUDGET_EMPTY);
            giveUp(BAD_GATEWAY, "backend " + search.lastBackend() + " failed and the retry budget is empty");
        }
    }

    @Override
    public void foundNone(Refusal why) {
        boolean begun = responseBegan();
        if (!begun) {
            search.answeredHere(why.status());
        }
        over(status(why.status()));
        if (begun) {
            client.cut();
        } else {
            client.answer(why);
        }
    }

    private void giveUp(int status, String reason) {
        foundNone(new Refusal(status, reason));
    }

    /** Ends the exchange without a word to the client. */
    void abort() {
        abort(CLIENT_GONE);
    }

    /** Ends the exchange for a client that is told so with that status, unless its response has begun. */
    void abort(int status) {
        search.cancel();
        dropUpstream(Outcome.ABANDONED);
        over(status(status));
    }

    private void dropUpstream(Outcome outcome) {
        UpstreamConnection used = upstream;
        if (used != null) {
            letUpstreamGo();
            used.abandon();
            search.end(outcome);
        }
    }

    private void letUpstreamGo() {
        upstream = null;
        body.goNowhere();
    }

    /** What the client has been told, or else that. */
    private int status(int otherwise) {
        return response == null ? otherwise : response.status();
    }

    private void over(int status) {
        if (phase == Phase.OVER) {
            return;
        }
        phase = Phase.OVER;
        log(status);
        worker.heads().recycle(request);
        if (response != null) {
            worker.heads().recycle(response);
        }
    }

    private void log(int status) {
        AccessLines lines = worker.accessLines();
        if (lines != null) {
            lines.add(
                    request,
                    client.client(),
                    new AccessLine.End(
                            System.currentTimeMillis(), status, sentBytes, elapsedNanos(), search.lastBackend()));
        }
    }

    /** The time since it began. */
    long elapsedNanos() {
        return worker.clock().now() - beganNanos;
    }
}
