// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.http.Field;
import io.albm.core.http.Framing;
import io.albm.core.http.Refusal;
import io.albm.core.http.RequestHead;
import io.albm.distributor.stats.Traffic;
import io.albm.distributor.stats.Traffic.Count;
import org.jspecify.annotations.Nullable;

/**
 * The request that a client's stream has under way, if any: what came of it goes to its {@link Exchange}, its body is
 * watched, and how it ends is counted, whatever protocol the client speaks. Used again for each request of the stream.
 * Confined to its event loop.
 */
final class CurrentRequest {
    private final Worker worker;
    private final ClientStream stream;
    private final Frontend frontend;
    private final RequestBody body;
    private @Nullable Exchange exchange;
    private boolean responseBegan;
    private int status;

    /** @param frontend where the client came in */
    CurrentRequest(Worker worker, ClientStream stream, Frontend frontend) {
        this.worker = worker;
        this.stream = stream;
        this.frontend = frontend;
        this.body = new RequestBody(worker, stream, this);
    }

    /** Whether there is one. */
    boolean isUnderWay() {
        return exchange != null;
    }

    /** Begins one, when none is under way; the head belongs to it from now on. */
    void begin(RequestHead head) {
        Destination to = frontend.destination(head);
        body.begin(to.pool(), head.framing() == Framing.NONE, head.isHttp11() && head.has(Field.EXPECT));
        responseBegan = false;
        worker.stats().requestBegan();
        traffic().note(Count.REQUESTS);
        Exchange begun = new Exchange(stream, worker, to, head, body);
        exchange = begun;
        begun.start();
    }

    private Traffic traffic() {
        return frontend.traffic();
    }

    /** What follows its head. */
    RequestBody body() {
        return body;
    }

    /** The client takes bytes again. */
    void clientWritable() {
        Exchange current = exchange;
        if (current != null) {
            current.clientWritable();
        }
    }

    /** Ends a request that cannot go on because of its client: with that answer, if there is none yet. */
    void fail(Refusal why) {
        Exchange current = exchange;
        if (current != null) {
            current.abort(why.status());
        }
        if (responseBegan) {
            stream.cut();
        } else {
            stream.refuse(why);
        }
    }

    // How it ends.

    /** Its response begins. */
    void responding(int withStatus) {
        body.answered();
        responseBegan = true;
        status = withStatus;
    }

    /** Its response is whole. */
    void finished() {
        answered(status);
    }

    /** It is answered with that status, all at once; what is no request may be answered, too. */
    void answered(int withStatus) {
        Exchange current = exchange;
        long nanos = current == null ? 0 : current.elapsedNanos();
        over();
        responseBegan = true;
        worker.stats().responded(withStatus, nanos);
        traffic().responded(withStatus);
    }

    /** What came is answered, but not passed on. */
    void refused() {
        worker.stats().note(ProxyStats.Event.REFUSED_REQUEST);
        traffic().note(Count.REFUSED);
    }

    /** Its response ends early, so that the client sees it. */
    void cut() {
        over();
        worker.stats().note(ProxyStats.Event.CUT);
    }

    /** Ends it without a word to the client. */
    void abort() {
        Exchange current = exchange;
        if (current != null) {
            current.abort();
        }
        over();
    }

    /** It has ended, unanswered unless that was said. */
    void over() {
        body.over();
        if (exchange != null) {
            exchange = null;
            worker.stats().requestEnded();
        }
    }
}
