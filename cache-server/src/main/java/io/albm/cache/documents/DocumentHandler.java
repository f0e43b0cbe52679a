// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.documents;

import io.albm.cache.http.Exchange;
import io.albm.cache.http.Preconditions;
import io.albm.cache.http.RequestHandler;
import io.albm.cache.source.Coding;
import io.albm.cache.source.DocumentPath;
import io.albm.cache.source.MalformedPathException;
import io.albm.cache.store.Document;
import io.albm.cache.store.DocumentStore;
import io.albm.cache.store.Identity;
import io.albm.cache.store.LargeDocument;
import io.albm.cache.store.Outcome;
import io.albm.core.http.Framing;
import io.albm.core.http.HeadWriter;
import io.albm.core.http.Method;
import io.albm.core.time.MonotonicClock;
import io.netty.buffer.Unpooled;
import java.nio.channels.FileChannel;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * Answers requests with the documents of a store. A hit is answered within the call: the head that stands before the
 * document's bytes in memory is copied, with the lines of the moment behind it, and the bytes go out from where they are.
 */
public final class DocumentHandler implements RequestHandler {
    private static final int OK = 200;

    /**
     * How documents too large for memory are sent.
     *
     * @param writeTimeout how long a piece of one may take to be taken
     * @param sendFiles whether the kernel sends files by itself, see {@link StreamPump}
     */
    public record Settings(Duration writeTimeout, boolean sendFiles) {}

    private final DocumentStore store;
    private final Executor blocking;
    private final Settings settings;
    private final TargetMemo targets = new TargetMemo();
    private final Negotiation negotiation;

    /**
     * A handler for one event loop.
     *
     * @param blocking starts a thread that may block for each task it is given
     */
    public DocumentHandler(DocumentStore store, Executor blocking, Settings settings) {
        this.store = store;
        this.blocking = blocking;
        this.settings = settings;
        negotiation = new Negotiation(MonotonicClock.system());
    }

    @Override
    public void handle(Exchange exchange) {
        Method method = exchange.head().method();
        if (method != Method.GET && method != Method.HEAD) {
            exchange.refuse(405, "only GET and HEAD are served", "Allow: GET, HEAD");
            return;
        }
        try {
            DocumentPath path = targets.path(exchange.head());
            ask(exchange, path, negotiation.codings(exchange.head(), path), 0);
        } catch (MalformedPathException e) {
            exchange.refuse(400, e.reason());
        }
    }

    /** Asks for the document in one of the codings that the client accepts, from that one on. */
    private void ask(Exchange exchange, DocumentPath plain, List<Coding> codings, int from) {
        for (int next = from; next < codings.size(); next++) {
            DocumentPath path = plain.in(codings.get(next));
            if (path.coding() == Coding.IDENTITY || !negotiation.wasAbsent(path)) {
                int later = next + 1;
                store.request(
                        path,
                        outcome -> deliver(exchange, outcome, () -> {
                            if (outcome instanceof Outcome.Missing && path.coding() != Coding.IDENTITY) {
                                negotiation.isAbsent(path);
                                ask(exchange, plain, codings, later);
                            } else {
                                answer(exchange, path, outcome);
                            }
                        }));
                return;
            }
        }
        exchange.refuse(406, "this document is not there in a coding that is accepted");
    }

    private static void deliver(Exchange exchange, Outcome outcome, Runnable answer) {
        if (exchange.loop().inEventLoop()) {
            answer.run();
            return;
        }
        try {
            exchange.loop().execute(answer);
        } catch (RejectedExecutionException e) {
            discard(outcome);
        }
    }

    private static void discard(Outcome outcome) {
        if (outcome instanceof Outcome.Found found) {
            found.document().release();
        }
    }

    private void answer(Exchange exchange, DocumentPath path, Outcome outcome) {
        if (exchange.isGone()) {
            discard(outcome);
            return;
        }
        switch (outcome) {
            case Outcome.Found found -> document(exchange, path, found.document());
            case Outcome.Large large -> large(exchange, path, large.document());
            case Outcome.Missing missing -> exchange.refuse(404, "no such document");
            case Outcome.IsDirectory directory ->
                exchange.refuse(
                        301,
                        "a directory ends with a slash",
                        "Location: " + DocumentPath.directoryOf(exchange.head().target()));
            case Outcome.Busy busy -> busy(exchange);
            case Outcome.Failed failed -> exchange.refuse(500, "the document cannot be read now");
        }
    }

    static void busy(Exchange exchange) {
        exchange.refuse(503, "busy; try again", "Retry-After: 1");
    }

    private static Plan plan(Exchange exchange, DocumentPath path, Identity identity) {
        return Plan.of(Answer.to(exchange.head(), identity, Instant.now()), path, identity);
    }

    private static void document(Exchange exchange, DocumentPath path, Document document) {
        if (exchange.head().hasAny(Preconditions.FIELDS)) {
            send(exchange, plan(exchange, path, document.identity()), document);
            return;
        }
        int head = document.headBytes();
        exchange.newHead().put(document.memory(), 0, head).put(exchange.dateLine());
        long bytes = document.identity().bytes();
        FileChannel file = document.file();
        if (file == null) {
            exchange.replyShared(OK, document.memory(), head, (int) bytes, document);
        } else {
            exchange.begin(OK, Framing.LENGTH);
            exchange.write(new DocumentRegion(document, file, head, bytes));
            exchange.end();
        }
    }

    private static void send(Exchange exchange, Plan plan, Document document) {
        begin(exchange, plan);
        for (Plan.Segment segment : plan.segments()) {
            exchange.write(Unpooled.wrappedBuffer(segment.before()));
            int from = document.headBytes() + (int) segment.from();
            exchange.writeShared(document.memory(), from, (int) segment.bytes(), document.retain());
        }
        exchange.write(Unpooled.wrappedBuffer(plan.end()));
        exchange.end();
        document.release();
    }

    static void begin(Exchange exchange, Plan plan) {
        HeadWriter head = exchange.newHead();
        plan.head().accept(head);
        head.put(exchange.dateLine());
        exchange.begin(plan.status(), Framing.LENGTH);
    }

    private void large(Exchange exchange, DocumentPath path, LargeDocument document) {
        Plan plan = plan(exchange, path, document.identity());
        if (plan.segments().isEmpty() || exchange.head().method() == Method.HEAD) {
            begin(exchange, plan);
            exchange.end();
        } else if (exchange.isWritable()) {
            pump(exchange, plan, document);
        } else {
            exchange.onWritable(() -> pump(exchange, plan, document));
        }
    }

    private void pump(Exchange exchange, Plan plan, LargeDocument document) {
        try {
            blocking.execute(new StreamPump(store, document, plan, settings, exchange));
        } catch (RejectedExecutionException e) {
            busy(exchange);
        }
    }
}
