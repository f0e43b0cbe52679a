// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.http.BodyReader;
import io.albm.core.http.Refusal;
import io.albm.distributor.stats.Traffic.Count;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * The body of the request that a client's stream has under way, on its way to the backend: no faster than that takes it,
 * and no slower than {@link BodyWatch} lets a client send it. Nothing of it is kept; once it has begun, nobody has all of
 * it any more. Used again for each request of the stream. Confined to its event loop.
 */
final class RequestBody implements BodyReader.Sink {
    private static final int REQUEST_TIMEOUT = 408;

    private final Worker worker;
    private final ClientStream stream;
    private final CurrentRequest request;
    private final BodyWatch watch;
    private @Nullable UpstreamConnection upstream;
    private boolean begun;
    private boolean complete;
    private boolean awaitsContinue;

    /** @param request is told what is wrong with the body */
    RequestBody(Worker worker, ClientStream stream, CurrentRequest request) {
        this.worker = worker;
        this.stream = stream;
        this.request = request;
        this.watch = new BodyWatch(worker, this::tooSlow);
    }

    /**
     * A request begins.
     *
     * @param pool where it goes
     * @param none whether it has no body
     * @param awaitsContinue whether the client rightly sends none before the backend says that it may
     */
    void begin(Pool pool, boolean none, boolean awaitsContinue) {
        watch.begin(pool);
        begun = false;
        complete = none;
        this.awaitsContinue = awaitsContinue;
    }

    /** Whether bytes of it were passed on. */
    boolean hasBegun() {
        return begun;
    }

    /** Whether the backend has been given all of it. */
    boolean isComplete() {
        return complete;
    }

    // Between client and backend.

    /** The request goes there; its head is sent. */
    void goTo(UpstreamConnection to) {
        upstream = to;
        if (complete) {
            to.expectResponse();
        } else {
            goOn(to);
        }
    }

    private void goOn(UpstreamConnection to) {
        if (awaitsContinue) {
            to.expectResponse();
        } else {
            to.expectNothing();
        }
        stream.resumeReading();
    }

    /** The request goes nowhere for now, or never more: what comes of its body is thrown away. */
    void goNowhere() {
        upstream = null;
    }

    /** The backend takes bytes again. */
    void upstreamWritable() {
        if (upstream != null && !complete) {
            goOn(upstream);
        }
    }

    /** The backend says that the client may send it. */
    void mayCome() {
        if (awaitsContinue) {
            awaitsContinue = false;
            upstreamWritable();
        }
    }

    /** The backend has begun to answer. */
    void answered() {
        watch.answered();
    }

    /** The request is over. */
    void over() {
        watch.stop();
        goNowhere();
    }

    // From the client.

    @Override
    public void bodyBytes(ByteBuf bytes) {
        came(bytes.readableBytes());
        pass(bytes);
    }

    /** So many bytes of it came, of a client that does not wait any longer if it did. */
    void came(long bytes) {
        if (awaitsContinue && upstream != null) {
            upstream.expectNothing();
        }
        awaitsContinue = false;
        watch.came(bytes);
    }

    /** Passes some of it on, as the backend is to get it; takes over the buffer. */
    void pass(ByteBuf bytes) {
        UpstreamConnection to = upstream;
        if (to == null) {
            bytes.release();
            return;
        }
        begun = true;
        to.send(bytes);
        if (!to.isWritable()) {
            to.flush();
        }
        await(to);
    }

    /** Where bytes of it may go past this process now; null if they may not. */
    @Nullable
    Channel shortcut() {
        return upstream == null ? null : upstream.shortcut();
    }

    /** So many bytes of it went there. */
    void moved(long bytes) {
        worker.clock().tick();
        came(bytes);
        stream.traffic().add(Count.BYTES_IN, bytes);
        UpstreamConnection to = upstream;
        if (to != null) {
            begun = true;
            to.sentByShortcut(bytes);
            await(to);
        }
    }

    /** Unless that has just failed, as a write may find out: then it is not waited for. */
    private void await(UpstreamConnection to) {
        if (upstream == to && !to.isWritable()) {
            stream.pauseReading();
            to.expectResponse();
        }
    }

    @Override
    public void bodyEnd(boolean nothingFollows) {
        end();
    }

    @Override
    public void bodyMalformed(String reason) {
        request.fail(Refusal.badRequest("request body: " + reason));
    }

    private void tooSlow() {
        request.fail(new Refusal(
                REQUEST_TIMEOUT,
                "request body: expected more of it within " + worker.settings().idleTimeout()));
    }

    /** It is whole. */
    void end() {
        watch.stop();
        boolean ended = !complete;
        complete = true;
        if (ended && upstream != null) {
            upstream.expectResponse();
        }
    }

    /** All that could be read from the client at once was handed over. That the backend has failed may be found out here. */
    void flush() {
        if (upstream != null) {
            upstream.flush();
        }
    }

    /** It is the client's turn to send more of it, unless that waits for the backend. */
    void expect() {
        if (!awaitsContinue) {
            watch.expect();
        }
    }

    /** It is not the client's turn. */
    void expectNothing() {
        watch.stop();
    }
}
