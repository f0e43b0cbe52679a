// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.http.Method;
import io.albm.core.http.Refusal;
import io.albm.core.http.RequestHead;
import io.albm.core.http.ResponseHead;
import io.albm.core.net.Watchdog;
import io.albm.core.net.WatchdogQueue;
import io.albm.distributor.http.Client;
import io.albm.distributor.stats.Traffic;
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
    private final Worker worker;
    private final ClientConnection connection;
    private final SocketChannel channel;
    private final RequestReader reader;
    private final ClientOutput output;
    private final Watchdog idleWatch;
    private final CurrentRequest request;
    private final RequestBody body;
    private boolean plain;
    private boolean unsure;
    private boolean last;
    private boolean keepAlive = true;
    private boolean nextWaits;
    private boolean lingering;

    Http1Stream(Worker worker, ClientConnection connection, SocketChannel channel) {
        this.worker = worker;
        this.connection = connection;
        this.channel = channel;
        this.output = new ClientOutput(worker, channel, connection.frontend().traffic());
        this.idleWatch = new Watchdog(worker.quietTimeouts(), this::idledTooLong);
        this.request = new CurrentRequest(worker, this, connection.frontend());
        this.body = request.body();
        this.reader = new RequestReader(worker, channel, this, body);
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
        if (request.isUnderWay()) {
            idleWatch.disarm();
            request.clientWritable();
        } else if (nextWaits) {
            next();
        }
    }

    /** No request comes any more, nor does an answer arrive. */
    void close() {
        idleWatch.disarm();
        reader.close();
        output.discard();
        request.abort();
    }

    /** Lets no request follow the one in hand, or the next one. */
    void makeLast() {
        last = true;
    }

    /** Whether no request is under way. */
    boolean isQuiet() {
        return !request.isUnderWay();
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
        return !request.isUnderWay() && !nextWaits;
    }

    @Override
    public void request(RequestHead head) {
        idleWatch.disarm();
        keepAlive = head.isKeepAlive();
        output.begin(head.isHttp11(), head.method() == Method.HEAD);
        request.begin(head);
    }

    /** Answers and closes: nothing after this request can be trusted. */
    @Override
    public void refuse(Refusal refusal) {
        request.refused();
        if (!request.isUnderWay()) {
            output.begin(true, false);
        }
        unsure = true;
        answer(refusal);
    }

    @Override
    public void readPaused() {
        body.flush();
        expectBody();
    }

    private void expectBody() {
        if (request.isUnderWay() && reader.awaitsBody()) {
            body.expect();
        }
    }

    private void idledTooLong() {
        if (output.progress().isMoving()) {
            idleWatch.arm();
        } else if (request.isUnderWay()) {
            request.abort();
            cut();
        } else {
            channel.close();
        }
    }

    @Override
    public void pauseReading() {
        body.expectNothing();
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
        request.answered(response.status());
        output.switchProtocols(response);
        connection.switchTo(successor, reader.handOver());
    }

    @Override
    public void respond(ResponseHead response) {
        request.responding(response.status());
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
        request.finished();
        output.end();
        awaitNext();
    }

    @Override
    public void cut() {
        request.cut();
        if (output.isUntilClose()) {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        }
        output.flush();
        channel.close();
    }

    @Override
    public void answer(Refusal refusal) {
        if (!channel.isActive()) {
            request.over();
            return;
        }
        keepAlive &= !last && !unsure && !reader.isInBody();
        request.answered(refusal.status());
        output.answer(refusal, keepAlive);
        awaitNext();
    }

    @Override
    public Traffic traffic() {
        return connection.frontend().traffic();
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

    /** The client has its answer, late, and says nothing more: from now on it may have to make room for another one. */
    private void becomeQuiet() {
        if (!request.isUnderWay() && idleWatch.isArmed()) {
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
