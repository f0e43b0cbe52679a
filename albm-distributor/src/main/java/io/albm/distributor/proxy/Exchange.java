// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.distributor.backend.Backend;
import io.albm.distributor.http.AccessLine;
import io.albm.distributor.http.Field;
import io.albm.distributor.http.Framing;
import io.albm.distributor.http.Refusal;
import io.albm.distributor.http.RequestHead;
import io.albm.distributor.http.ResponseHead;
import io.albm.distributor.http.ResumePoint;
import io.albm.distributor.routing.Outcome;
import io.albm.distributor.routing.RouteCosts;
import io.albm.distributor.routing.RoutedRequest;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response, over as many backends as it takes.
 *
 * <p>Bytes stream: the buffer that is read from one side is the buffer that is written to the other, and when the writer
 * holds more than its mark, the reader stops. Of a body never more is held than one read plus the two sockets' write
 * marks. On the way of a request that succeeds at once nothing is allocated but this object and the buffers.
 *
 * <p>When a backend fails, what may be done depends on what was said already:
 *
 * <table>
 *   <caption>After a failure</caption>
 *   <tr><td>not connected, request body not begun</td><td>another backend, whatever the method</td></tr>
 *   <tr><td>sent, no response yet, idempotent, request body not begun</td><td>another backend, from the budget; if the
 *       connection had been used before, the same backend on a new connection</td></tr>
 *   <tr><td>sent, no response yet, otherwise</td><td>502</td></tr>
 *   <tr><td>response begun, {@link ResumePoint} known</td><td>the rest from another backend, from the budget</td></tr>
 *   <tr><td>response begun, otherwise</td><td>the client's connection is cut</td></tr>
 * </table>
 *
 * <p>Confined to the event loop of its client; so are its backend connections.
 */
final class Exchange implements RoutedRequest, UpstreamConnection.Borrower, UpstreamPool.Applicant {
    private static final int SERVER_ERROR = 500;
    private static final int BAD_GATEWAY = 502;
    private static final int SERVICE_UNAVAILABLE = 503;
    private static final int GATEWAY_TIMEOUT = 504;
    private static final int SWITCHING_PROTOCOLS = 101;
    private static final int CLIENT_GONE = 499;
    private static final String NO_BACKEND = "-";

    private enum Phase {
        CONNECTING,
        WAITING,
        AWAITING_RESPONSE,
        RESPONDING,
        OVER
    }

    private final ClientStream client;
    private final Worker worker;
    private final RequestHead request;
    private final boolean hasBody;
    private List<String> tried = List.of();
    private Phase phase = Phase.CONNECTING;
    private @Nullable Backend backend;
    private @Nullable UpstreamConnection upstream;
    private @Nullable ResponseHead response;
    private @Nullable ResumePoint resumePoint;
    private int attempts;
    private boolean starting;
    private boolean bodyBegan;
    private boolean bodyComplete;
    private boolean upstreamKeepAlive;
    private long sentBytes;
    private long ticket;
    private String lastBackend = NO_BACKEND;
    private long beganNanos;
    private long sentAtNanos;
    private long latencyNanos;

    /**
     * An exchange that has not begun.
     *
     * @param request belongs to the exchange from now on
     */
    Exchange(ClientStream client, Worker worker, RequestHead request) {
        this.client = client;
        this.worker = worker;
        this.request = request;
        this.hasBody = request.framing() != Framing.NONE;
        this.bodyComplete = !hasBody;
    }

    /** Sends the request as far as it can be sent now; {@link #requestPaused} is to be called afterwards. */
    void start() {
        beganNanos = nowNanos();
        starting = true;
        worker.budget().deposit();
        attempt();
        starting = false;
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

    // Finding a backend.

    private void attempt() {
        Backend next = attempts < worker.settings().maxAttempts() ? worker.choose(this) : null;
        if (next == Backend.WAIT) {
            phase = Phase.WAITING;
            worker.waitingRoom().enter(this);
        } else {
            go(next);
        }
    }

    private void go(@Nullable Backend next) {
        if (next == null) {
            nobodyLeft();
        } else {
            connect(next, false);
        }
    }

    /** Asks again for a backend; false if all that may take the request are still tight. */
    boolean tryToGo() {
        if (phase != Phase.WAITING) {
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
        if (phase == Phase.WAITING) {
            giveUp(SERVICE_UNAVAILABLE, reason);
        }
    }

    private void connect(Backend to, boolean fresh) {
        attempts++;
        phase = Phase.CONNECTING;
        backend = to;
        lastBackend = to.id();
        ticket = to.begin(this);
        sentAtNanos = nowNanos();
        worker.pool(to).borrow(fresh, this);
    }

    private void nobodyLeft() {
        worker.stats().note(ProxyStats.Event.NO_BACKEND);
        giveUp(SERVICE_UNAVAILABLE, worker.whyNone());
    }

    @Override
    public void lent(UpstreamConnection connection) {
        if (phase == Phase.OVER) {
            connection.giveBack();
            endAttempt(Outcome.ABANDONED);
            return;
        }
        upstream = connection;
        phase = Phase.AWAITING_RESPONSE;
        connection.lend(this, request.method(), !client.takesChunks());
        sendRequest(connection);
        if (!starting) {
            connection.flush();
        }
    }

    private void sendRequest(UpstreamConnection to) {
        to.send(head(to));
        if (bodyComplete) {
            to.expectResponse();
        } else {
            client.resumeReading();
        }
    }

    private ByteBuf head(UpstreamConnection to) {
        return resumePoint == null
                ? worker.requests().write(request, client.client(), to.authority(), to.allocator())
                : worker.requests()
                        .writeRest(request, client.client(), to.authority(), to.allocator(), resumePoint, sentBytes);
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
        avoid(backend);
        endAttempt(outcome);
        if (phase != Phase.OVER) {
            attempt();
        }
    }

    private void avoid(@Nullable Backend failed) {
        if (failed == null) {
            return;
        }
        if (tried.isEmpty()) {
            tried = new ArrayList<>();
        }
        tried.add(failed.id());
    }

    private void endAttempt(Outcome outcome) {
        upstream = null;
        if (backend != null) {
            backend.end(ticket, outcome, latencyNanos, nowNanos());
            backend = null;
            worker.waitingRoom().roomMade();
        }
    }

    // The request's body.

    /** Takes over the buffer. */
    void requestBody(ByteBuf bytes) {
        UpstreamConnection to = upstream;
        if (to == null) {
            bytes.release();
            return;
        }
        bodyBegan = true;
        to.send(bytes);
        if (!to.isWritable()) {
            to.flush();
        }
        if (!to.isWritable()) {
            client.pauseReading();
            to.expectResponse();
        }
    }

    /** The body is whole. */
    void requestEnd() {
        bodyComplete = true;
        if (upstream != null) {
            upstream.expectResponse();
        }
    }

    /** All that could be read from the client at once was handed over. */
    void requestPaused() {
        if (upstream != null) {
            upstream.flush();
        }
    }

    @Override
    public void upstreamWritable() {
        if (upstream != null && !bodyComplete) {
            upstream.expectNothing();
            client.resumeReading();
        }
    }

    // The response.

    @Override
    public void interimHead(ResponseHead head) {
        if (head.status() == SWITCHING_PROTOCOLS) {
            switchProtocols(head, upstream);
        } else if (!responseBegan()) {
            client.interim(head);
        }
    }

    private void switchProtocols(ResponseHead head, @Nullable UpstreamConnection to) {
        if (to == null || responseBegan() || !request.isUpgrade() || !client.canSwitchProtocols()) {
            upstreamFailed("response switches to a protocol that was not asked for", false);
            return;
        }
        latencyNanos = nowNanos() - sentAtNanos;
        var tunnel = new Tunnel(worker, () -> endAttempt(Outcome.ANSWERED));
        to.switchProtocols(tunnel.back());
        client.switchProtocols(head, tunnel.front());
        tunnel.open();
        over(SWITCHING_PROTOCOLS);
    }

    @Override
    public void responseHead(ResponseHead head) {
        phase = Phase.RESPONDING;
        latencyNanos = nowNanos() - sentAtNanos;
        upstreamKeepAlive = head.isKeepAlive();
        learnCost(head);
        if (response == null) {
            response = head;
            client.respond(head);
        } else {
            goOnWith(head);
        }
    }

    private void learnCost(ResponseHead head) {
        if (backend != null && head.has(Field.ALBM_COST)) {
            backend.costReported(this, head.number(Field.ALBM_COST));
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
        if (!client.isWritable() && upstream != null) {
            upstream.pauseReading();
            client.awaitWritable();
        }
    }

    @Override
    public void responseEnd() {
        if (phase != Phase.RESPONDING) {
            return;
        }
        UpstreamConnection used = upstream;
        if (used != null && upstreamKeepAlive && bodyComplete) {
            used.giveBack();
        } else if (used != null) {
            used.abandon();
        }
        int status = status(SERVER_ERROR);
        endAttempt(status >= SERVER_ERROR ? Outcome.ERRORED : Outcome.ANSWERED);
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
        boolean stale = upstream != null && upstream.isReused();
        upstreamFailed(reason, stale);
    }

    private void upstreamFailed(String reason, boolean stale) {
        Backend failed = backend;
        dropUpstream(Outcome.FAILED);
        if (phase == Phase.OVER) {
            return;
        }
        if (!mayGoOn()) {
            giveUp(BAD_GATEWAY, "backend " + name(failed) + " failed: " + reason);
        } else if (!worker.budget().withdraw()) {
            worker.stats().note(ProxyStats.Event.BUDGET_EMPTY);
            giveUp(BAD_GATEWAY, "backend " + name(failed) + " failed and the retry budget is empty");
        } else {
            worker.stats().note(ProxyStats.Event.RETRY);
            goOn(failed, stale && !responseBegan());
        }
    }

    private boolean mayGoOn() {
        if (response == null) {
            return !bodyBegan && request.method().isIdempotent();
        }
        if (resumePoint == null) {
            resumePoint = ResumePoint.of(request.method(), response).orElse(null);
        }
        return resumePoint != null;
    }

    private void goOn(@Nullable Backend failed, boolean onSameBackend) {
        if (onSameBackend && failed != null && attempts < worker.settings().maxAttempts()) {
            connect(failed, true);
        } else {
            avoid(failed);
            attempt();
        }
    }

    @Override
    public void timedOut() {
        Backend failed = backend;
        if (responseBegan()) {
            upstreamFailed("no bytes for " + worker.settings().responseTimeout(), false);
        } else {
            dropUpstream(Outcome.FAILED);
            giveUp(
                    GATEWAY_TIMEOUT,
                    "backend " + name(failed) + " sent nothing within "
                            + worker.settings().responseTimeout());
        }
    }

    private static String name(@Nullable Backend backend) {
        return backend == null ? "?" : backend.id();
    }

    private void giveUp(int status, String reason) {
        boolean begun = responseBegan();
        over(status(status));
        if (begun) {
            client.cut();
        } else {
            client.answer(new Refusal(status, reason));
        }
    }

    /** Ends the exchange without a word to the client. */
    void abort() {
        if (phase == Phase.WAITING) {
            worker.waitingRoom().leave(this);
        }
        dropUpstream(Outcome.ABANDONED);
        over(status(CLIENT_GONE));
    }

    private void dropUpstream(Outcome outcome) {
        UpstreamConnection used = upstream;
        if (used != null) {
            used.abandon();
            endAttempt(outcome);
        }
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
            long nanos = nowNanos() - beganNanos;
            lines.add(
                    request,
                    client.client(),
                    new AccessLine.End(System.currentTimeMillis(), status, sentBytes, nanos, lastBackend));
        }
    }
}
