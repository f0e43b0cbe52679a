// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.distributor.http.Client;
import io.albm.distributor.http.Method;
import io.albm.distributor.http.Refusal;
import io.albm.distributor.http.RequestHead;
import io.albm.distributor.http.ResponseHead;
import io.albm.distributor.stats.Traffic;
import io.albm.distributor.stats.Traffic.Count;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;
import org.jspecify.annotations.Nullable;

/**
 * The requests of an HTTP/1.1 connection, one after the other, each with its {@link Exchange}. {@link RequestReader} finds
 * the requests, {@link ClientOutput} words the responses; this class says whose turn it is, and whether there is a next
 * one. Confined to its event loop.
 *
 * <p>A connection whose next request would start at an unsure place (malformed, timed out, body not read to its end) is
 * closed in two steps: first our side, then, after the client has closed or a while later, the rest. Closing at once
 * with unread bytes would reset the connection and take the answer away from the client.
 */
final class Http1Stream implements ClientStream, RequestReader.Sink {
    private static final int REQUEST_TIMEOUT = 408;

    private final Worker worker;
    private final ClientConnection connection;
    private final SocketChannel channel;
    private final RequestReader reader;
    private final ClientOutput output;
    private final Watchdog idleWatch;
    private final BodyWatch bodyWatch;
    private @Nullable Exchange exchange;
    private boolean plain;
    private boolean unsure;
    private boolean last;
    private boolean keepAlive = true;
    private boolean responseBegan;
    private boolean nextWaits;
    private boolean lingering;
    private int status;
    private long beganNanos;

    Http1Stream(Worker worker, ClientConnection connection, SocketChannel channel) {
        this.worker = worker;
        this.connection = connection;
        this.channel = channel;
        this.reader = new RequestReader(worker, channel, this);
        this.output = new ClientOutput(worker, channel, connection.frontend().traffic());
        this.idleWatch = new Watchdog(worker.quietTimeouts(), this::idledTooLong);
        this.bodyWatch = new BodyWatch(worker, this::bodyTooSlow);
    }

    // What happens to the connection.

    /** The connection is in its pipeline. */
    void connected() {
        plain = Shortcut.isPossible(channel);
        if (plain) {
            BulkReads.give(channel, reader);
        }
        idleWatch.arm();
    }

    /** Takes over what came from the client. */
    void read(ByteBuf in) {
        reader.read(in);
    }

    /** All that could be read at once was handed over. */
    void readComplete() {
        reader.readComplete();
    }

    /** A first head is on its way. */
    void expectHead() {
        reader.expectHead();
    }

    /** The client takes bytes again. */
    void writable() {
        Exchange current = exchange;
        if (current != null) {
            idleWatch.disarm();
            current.clientWritable();
        } else if (nextWaits) {
            next();
        }
    }

    /** No request comes any more, nor does an answer arrive. */
    void close() {
        idleWatch.disarm();
        reader.close();
        output.discard();
        Exchange current = exchange;
        if (current != null) {
            current.abort();
            over();
        }
    }

    /** Lets no request follow the one in hand, or the next one. */
    void makeLast() {
        last = true;
    }

    /** Whether no request is under way. */
    boolean isQuiet() {
        return exchange == null;
    }

    /** Closes the connection once the client has its last answer. */
    void closeWhenSent() {
        output.closeWhenSent();
    }

    /** Whether the connection is being closed in good order. */
    boolean isLingering() {
        return lingering;
    }

    // Requests.

    @Override
    public boolean takesRequest() {
        return exchange == null && !nextWaits;
    }

    @Override
    public void request(RequestHead request) {
        Destination to = connection.frontend().destination(request);
        idleWatch.disarm();
        bodyWatch.begin(to.pool());
        responseBegan = false;
        beganNanos = worker.clock().now();
        keepAlive = request.isKeepAlive();
        output.begin(request.isHttp11(), request.method() == Method.HEAD);
        worker.stats().requestBegan();
        traffic().note(Count.REQUESTS);
        Exchange begun = new Exchange(this, worker, to, request);
        exchange = begun;
        begun.start();
    }

    /** Answers and closes: nothing after this request can be trusted. */
    @Override
    public void refuse(Refusal refusal) {
        worker.stats().note(ProxyStats.Event.REFUSED_REQUEST);
        traffic().note(Count.REFUSED);
        if (exchange == null) {
            beganNanos = worker.clock().now();
            output.begin(true, false);
        }
        unsure = true;
        answer(refusal);
    }

    @Override
    public void readPaused() {
        Exchange current = exchange;
        if (current != null) {
            current.requestPaused();
            expectBody();
        }
    }

    private void expectBody() {
        if (reader.awaitsBody()) {
            bodyWatch.expect();
        }
    }

    @Override
    public void bodyBytes(ByteBuf bytes) {
        bodyWatch.came(bytes.readableBytes());
        Exchange current = exchange;
        if (current == null) {
            bytes.release();
        } else {
            current.requestBody(bytes);
        }
    }

    @Override
    public @Nullable Channel bodyShortcut() {
        Exchange current = exchange;
        return current == null ? null : current.bodyShortcut();
    }

    @Override
    public void bodyMoved(long bytes) {
        worker.clock().tick();
        bodyWatch.came(bytes);
        traffic().add(Count.BYTES_IN, bytes);
        Exchange current = exchange;
        if (current != null) {
            current.requestMoved(bytes);
        }
    }

    @Override
    public void bodyEnd(boolean nothingFollows) {
        bodyWatch.stop();
        Exchange current = exchange;
        if (current != null) {
            current.requestEnd();
        }
    }

    @Override
    public void bodyMalformed(String reason) {
        abortAndRefuse(Refusal.badRequest("request body: " + reason));
    }

    private void abortAndRefuse(Refusal refusal) {
        Exchange current = exchange;
        if (current != null) {
            current.abort();
        }
        if (responseBegan) {
            cut();
        } else {
            refuse(refusal);
        }
    }

    private void idledTooLong() {
        if (output.progress().isMoving()) {
            idleWatch.arm();
        } else if (exchange == null) {
            channel.close();
        } else {
            exchange.abort();
            cut();
        }
    }

    private void bodyTooSlow() {
        abortAndRefuse(new Refusal(
                REQUEST_TIMEOUT,
                "request body: expected more of it within " + worker.settings().idleTimeout()));
    }

    @Override
    public void pauseReading() {
        bodyWatch.stop();
        reader.pause();
    }

    @Override
    public void resumeReading() {
        reader.resume();
        expectBody();
    }

    // Responses.

    @Override
    public Client client() {
        return connection.client();
    }

    @Override
    public boolean takesChunks() {
        return output.isHttp11();
    }

    @Override
    public boolean isWritable() {
        return channel.isWritable();
    }

    @Override
    public void awaitWritable(WatchdogQueue stalled) {
        output.progress().watch();
        idleWatch.arm(stalled);
    }

    @Override
    public void interim(ResponseHead interim) {
        if (output.isHttp11()) {
            output.interim(interim);
        }
    }

    @Override
    public boolean canSwitchProtocols() {
        return true;
    }

    @Override
    public void switchProtocols(ResponseHead response, TunnelEnd successor) {
        over();
        responded(response.status());
        output.switchProtocols(response);
        connection.switchTo(successor, reader.handOver());
    }

    @Override
    public void respond(ResponseHead response) {
        bodyWatch.answered();
        responseBegan = true;
        status = response.status();
        keepAlive &= !last && !reader.isInBody() && !output.lastsUntilClose(response);
        output.head(response, keepAlive);
    }

    @Override
    public void body(ByteBuf bytes) {
        output.body(bytes);
    }

    @Override
    public @Nullable Channel shortcut() {
        return plain && !output.holdsHead() ? channel : null;
    }

    @Override
    public void flush() {
        output.flush();
    }

    @Override
    public void finish() {
        over();
        responded(status);
        output.end();
        awaitNext();
    }

    @Override
    public void cut() {
        over();
        worker.stats().note(ProxyStats.Event.CUT);
        if (output.isUntilClose()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        }
        output.flush();
        channel.close();
    }

    @Override
    public void answer(Refusal refusal) {
        over();
        if (!channel.isActive()) {
            return;
        }
        responseBegan = true;
        keepAlive &= !last && !unsure && !reader.isInBody();
        responded(refusal.status());
        output.answer(refusal, keepAlive);
        awaitNext();
    }

    @Override
    public Traffic traffic() {
        return connection.frontend().traffic();
    }

    private void responded(int withStatus) {
        worker.stats().responded(withStatus, worker.clock().now() - beganNanos);
        traffic().responded(withStatus);
    }

    private void over() {
        bodyWatch.stop();
        if (exchange != null) {
            exchange = null;
            worker.stats().requestEnded();
        }
    }

    // Afterwards.

    private void awaitNext() {
        if (!keepAlive || unsure || reader.isInBody()) {
            linger();
            return;
        }
        awaitClient();
        if (last) {
            connection.closeSoon();
        }
        nextWaits = !channel.isWritable();
        if (!nextWaits) {
            next();
        }
    }

    private void awaitClient() {
        output.progress().watch();
        boolean taken = output.progress().isDone();
        idleWatch.arm(taken ? worker.quietTimeouts() : worker.farewellTimeouts());
        if (!taken) {
            output.whenSent(this::becomeQuiet);
        }
    }

    /** The client has its answer, late: from now on it may have to make room for another one. */
    private void becomeQuiet() {
        if (exchange == null && channel.isActive()) {
            awaitClient();
        }
    }

    /** Not before the client has taken its last answer: whoever sends requests and reads nothing fills no memory. */
    private void next() {
        nextWaits = false;
        reader.resumeIfStopped();
    }

    private void linger() {
        if (lingering) {
            return;
        }
        lingering = true;
        awaitClient();
        boolean nothingUnread = !unsure && !reader.isInBody() && !reader.holdsBytes();
        reader.discard();
        if (nothingUnread) {
            output.closeWhenSent();
        } else {
            channel.config().setAutoRead(true);
            output.closeInTwoSteps();
        }
    }
}
