// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.distributor.backend.Backend;
import io.albm.distributor.routing.Outcome;
import io.albm.distributor.routing.RoutedRequest;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.LastHttpContent;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One request and its response, over as many backends as it takes.
 *
 * <p>Bytes stream: what is read from one side is written to the other, and when the writer's buffer is above its mark,
 * the reader stops. Of a body never more is held than one read plus the two sockets' write marks.
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
    private static final Set<HttpMethod> IDEMPOTENT = Set.of(
            HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS, HttpMethod.TRACE, HttpMethod.PUT, HttpMethod.DELETE);

    private enum Phase {
        CONNECTING,
        AWAITING_RESPONSE,
        RESPONDING,
        OVER
    }

    private final ClientConnection client;
    private final Worker worker;
    private final HttpRequest request;
    private final boolean hasBody;
    private final Set<String> tried = new HashSet<>();
    private final ArrayDeque<HttpContent> heldBody = new ArrayDeque<>();
    private Phase phase = Phase.CONNECTING;
    private @Nullable Backend backend;
    private @Nullable UpstreamConnection upstream;
    private @Nullable ResumePoint resumePoint;
    private int attempts;
    private boolean bodyBegan;
    private boolean bodyComplete;
    private boolean responseBegan;
    private boolean interim;
    private boolean upstreamKeepAlive;
    private long sentBytes;
    private long ticket;
    private long sentAtNanos;
    private long latencyNanos;

    Exchange(ClientConnection client, Worker worker, HttpRequest incoming) {
        this.client = client;
        this.worker = worker;
        this.request = ForwardedHead.request(incoming, client.address());
        this.hasBody = HttpUtil.isTransferEncodingChunked(incoming) || HttpUtil.getContentLength(incoming, 0L) > 0;
        this.bodyComplete = !hasBody;
    }

    void start() {
        worker.budget().deposit();
        attempt();
    }

    // Finding a backend.

    private void attempt() {
        Backend next = attempts < worker.settings().maxAttempts() ? worker.choose(this) : null;
        if (next == null || next == Backend.WAIT) {
            nobodyLeft();
        } else {
            tried.add(next.id());
            connect(next, false);
        }
    }

    private void connect(Backend to, boolean fresh) {
        attempts++;
        phase = Phase.CONNECTING;
        backend = to;
        ticket = to.begin(this);
        sentAtNanos = nowNanos();
        worker.pool(to).borrow(fresh, this);
    }

    @Override
    public long hash() {
        String target = request.uri();
        int query = target.indexOf('?');
        return (query < 0 ? target : target.substring(0, query)).hashCode();
    }

    @Override
    public int route() {
        return DEFAULT_ROUTE;
    }

    @Override
    public boolean tried(String backendId) {
        return tried.contains(backendId);
    }

    @Override
    public long nowNanos() {
        return worker.clock().nanoTime();
    }

    private void nobodyLeft() {
        phase = Phase.OVER;
        releaseHeldBody();
        worker.stats().note(ProxyStats.Event.NO_BACKEND);
        if (responseBegan) {
            client.cut();
        } else {
            client.answer(HttpResponseStatus.SERVICE_UNAVAILABLE, worker.whyNone());
        }
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
        connection.lend(this);
        sendRequest(connection);
    }

    private void sendRequest(UpstreamConnection to) {
        HttpRequest head = resumePoint == null ? request : resumePoint.request(request, sentBytes);
        if (!head.headers().contains(HttpHeaderNames.HOST) && backend != null) {
            head.headers().set(HttpHeaderNames.HOST, backend.address().toString());
        }
        to.send(head);
        if (hasBody) {
            heldBody.forEach(content -> forward(to, content));
            heldBody.clear();
        } else {
            to.send(LastHttpContent.EMPTY_LAST_CONTENT);
        }
        to.flush();
        if (bodyComplete) {
            to.expectResponse();
        } else if (to.isWritable()) {
            client.resumeReading();
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
        endAttempt(outcome);
        if (phase != Phase.OVER) {
            attempt();
        }
    }

    private void endAttempt(Outcome outcome) {
        upstream = null;
        if (backend != null) {
            backend.end(ticket, outcome, latencyNanos, nowNanos());
            backend = null;
        }
    }

    // The request's body.

    /** Takes over the content's reference. */
    void requestContent(HttpContent content) {
        if (!hasBody || phase == Phase.OVER) {
            content.release();
            return;
        }
        bodyComplete = content instanceof LastHttpContent;
        if (upstream == null) {
            heldBody.add(content);
            client.pauseReading();
        } else {
            forward(upstream, content);
        }
    }

    private void forward(UpstreamConnection to, HttpContent content) {
        bodyBegan = true;
        to.send(
                content instanceof LastHttpContent trailer
                                && !trailer.trailingHeaders().isEmpty()
                        ? withoutTrailers(trailer)
                        : content);
        if (bodyComplete) {
            to.expectResponse();
        } else if (!to.isWritable()) {
            client.pauseReading();
            to.expectResponse();
        }
    }

    private static HttpContent withoutTrailers(LastHttpContent last) {
        return new DefaultLastHttpContent(last.content());
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
    public void responseHead(HttpResponse head) {
        if (head.status().codeClass() == HttpStatusClass.INFORMATIONAL) {
            interimHead(head);
        } else if (!isWellFramed(head)) {
            upstreamFailed("unknown Transfer-Encoding in the response");
        } else if (resumePoint == null) {
            firstHead(head);
        } else {
            nextHead(head, resumePoint);
        }
    }

    private void interimHead(HttpResponse head) {
        if (head.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS)) {
            upstreamFailed("response switches to a protocol that was not asked for");
            return;
        }
        interim = true;
        client.interim(ForwardedHead.response(head));
    }

    private static boolean isWellFramed(HttpResponse head) {
        return head.headers().getAll(HttpHeaderNames.TRANSFER_ENCODING).stream().allMatch("chunked"::equalsIgnoreCase);
    }

    private void firstHead(HttpResponse head) {
        phase = Phase.RESPONDING;
        responseBegan = true;
        latencyNanos = nowNanos() - sentAtNanos;
        upstreamKeepAlive = HttpUtil.isKeepAlive(head);
        resumePoint = ResumePoint.of(request.method(), head).orElse(null);
        client.respond(ForwardedHead.response(head));
    }

    private void nextHead(HttpResponse head, ResumePoint point) {
        if (!point.isContinuedBy(head, sentBytes)) {
            abort();
            client.cut();
            return;
        }
        phase = Phase.RESPONDING;
        latencyNanos = nowNanos() - sentAtNanos;
        upstreamKeepAlive = HttpUtil.isKeepAlive(head);
        worker.stats().note(ProxyStats.Event.RESUME);
    }

    @Override
    public void responseContent(HttpContent content) {
        boolean last = content instanceof LastHttpContent;
        if (interim || phase != Phase.RESPONDING) {
            interim &= !last;
            content.release();
            return;
        }
        if (content.content().isReadable()) {
            sentBytes += content.content().readableBytes();
            client.respond(new DefaultHttpContent(content.content()));
        } else {
            content.release();
        }
        if (last) {
            complete();
        } else if (!client.isWritable() && upstream != null) {
            upstream.pauseReading();
            client.awaitWritable();
        }
    }

    private void complete() {
        phase = Phase.OVER;
        UpstreamConnection used = upstream;
        if (used != null && upstreamKeepAlive && bodyComplete) {
            used.giveBack();
        } else if (used != null) {
            used.abandon();
        }
        endAttempt(Outcome.ANSWERED);
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

    private void upstreamFailed(String reason) {
        upstreamFailed(reason, false);
    }

    private void upstreamFailed(String reason, boolean stale) {
        Backend failed = backend;
        dropUpstream(Outcome.FAILED);
        if (phase == Phase.OVER) {
            return;
        }
        if (!mayGoOn()) {
            giveUp(HttpResponseStatus.BAD_GATEWAY, "backend " + name(failed) + " failed: " + reason);
        } else if (!worker.budget().withdraw()) {
            worker.stats().note(ProxyStats.Event.BUDGET_EMPTY);
            giveUp(HttpResponseStatus.BAD_GATEWAY, "backend " + name(failed) + " failed and the retry budget is empty");
        } else {
            worker.stats().note(ProxyStats.Event.RETRY);
            goOn(failed, stale && !responseBegan);
        }
    }

    private boolean mayGoOn() {
        return responseBegan ? resumePoint != null : !bodyBegan && IDEMPOTENT.contains(request.method());
    }

    private void goOn(@Nullable Backend failed, boolean onSameBackend) {
        if (onSameBackend && failed != null && attempts < worker.settings().maxAttempts()) {
            connect(failed, true);
        } else {
            attempt();
        }
    }

    @Override
    public void timedOut() {
        Backend failed = backend;
        if (responseBegan) {
            upstreamFailed("no bytes for " + worker.settings().responseTimeout());
        } else {
            dropUpstream(Outcome.FAILED);
            giveUp(
                    HttpResponseStatus.GATEWAY_TIMEOUT,
                    "backend " + name(failed) + " sent nothing within "
                            + worker.settings().responseTimeout());
        }
    }

    private static String name(@Nullable Backend backend) {
        return backend == null ? "?" : backend.id();
    }

    private void giveUp(HttpResponseStatus status, String reason) {
        phase = Phase.OVER;
        releaseHeldBody();
        if (responseBegan) {
            client.cut();
        } else {
            client.answer(status, reason);
        }
    }

    /** Ends the exchange without a word to the client. */
    void abort() {
        phase = Phase.OVER;
        releaseHeldBody();
        dropUpstream(Outcome.ABANDONED);
    }

    private void dropUpstream(Outcome outcome) {
        UpstreamConnection used = upstream;
        if (used != null) {
            used.abandon();
            endAttempt(outcome);
        }
    }

    private void releaseHeldBody() {
        heldBody.forEach(HttpContent::release);
        heldBody.clear();
    }
}
