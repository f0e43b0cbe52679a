// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.documents;

import io.albm.cache.http.Exchange;
import io.albm.cache.http.Preconditions;
import io.albm.cache.http.RequestHandler;
import io.albm.cache.http.WaitingRequest;
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
import io.albm.core.http.RequestHead;
import io.albm.core.time.MonotonicClock;
import io.netty.buffer.Unpooled;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers requests with the documents of a store. A hit is answered within the call: the head that stands before the
 * document's bytes in memory is copied, with the lines of the moment behind it, and the bytes go out from where they are.
 */
public final class DocumentHandler implements RequestHandler {
    private static final Logger log = LoggerFactory.getLogger(DocumentHandler.class);
    private static final int OK = 200;

    private final DocumentStore store;
    private final Executor blocking;
    private final boolean sendFiles;
    private final TargetMemo targets = new TargetMemo();
    private final Negotiation negotiation;

    /**
     * A handler for one event loop.
     *
     * @param blocking starts a thread that may block for each task it is given
     * @param sendFiles whether the kernel sends documents too large for memory by itself, see {@link StreamPump}
     */
    public DocumentHandler(DocumentStore store, Executor blocking, boolean sendFiles) {
        this.store = store;
        this.blocking = blocking;
        this.sendFiles = sendFiles;
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
            ask(exchange, path, negotiation.codings(exchange.head(), path), 0, null);
        } catch (MalformedPathException e) {
            exchange.refuse(400, e.reason());
        } catch (RuntimeException | Error e) {
            fail(exchange, e);
        }
    }

    /** Who waits is thought to accept the codings that the client accepts who brings the news. */
    @Override
    public boolean announced(RequestHead by, WaitingRequest waiting) {
        try {
            DocumentPath plain = DocumentPath.ofTarget(waiting.target());
            negotiation.codings(by, plain).stream()
                    .map(plain::in)
                    .filter(path -> path.coding() == Coding.IDENTITY || !negotiation.wasAbsent(path))
                    .findFirst()
                    .ifPresent(store::announced);
            return true;
        } catch (MalformedPathException e) {
            return false;
        }
    }

    /**
     * Asks for the document in the codings that the client accepts, from that one on, until it is there in one.
     *
     * @param obstacle why one could not be had, if that is so: another is as good, but if there is none the client hears it
     */
    private void ask(
            Exchange exchange, DocumentPath plain, List<Coding> codings, int from, @Nullable Outcome obstacle) {
        for (int next = from; next < codings.size(); next++) {
            DocumentPath path = plain.in(codings.get(next));
            if (path.coding() == Coding.IDENTITY || !negotiation.wasAbsent(path)) {
                int later = next + 1;
                store.request(
                        path,
                        outcome -> deliver(exchange, outcome, () -> {
                            if (isAnswer(path, outcome) || exchange.isGone()) {
                                answer(exchange, path, outcome);
                            } else if (isAbsence(outcome)) {
                                negotiation.isAbsent(path);
                                ask(exchange, plain, codings, later, obstacle);
                            } else {
                                ask(exchange, plain, codings, later, outcome);
                            }
                        }));
                return;
            }
        }
        if (obstacle == null) {
            exchange.refuse(406, "this document is not there in a coding that is accepted");
        } else {
            answer(exchange, plain, obstacle);
        }
    }

    /** Content is an answer in every coding; that there is none is one if the document itself was asked for. */
    private static boolean isAnswer(DocumentPath path, Outcome outcome) {
        return outcome instanceof Outcome.Found
                || outcome instanceof Outcome.Large
                || (path.coding() == Coding.IDENTITY && isAbsence(outcome));
    }

    private static boolean isAbsence(Outcome outcome) {
        return outcome instanceof Outcome.Missing || outcome instanceof Outcome.IsDirectory;
    }

    private static void deliver(Exchange exchange, Outcome outcome, Runnable answer) {
        if (exchange.loop().inEventLoop()) {
            attempt(exchange, answer);
            return;
        }
        try {
            exchange.loop().execute(() -> attempt(exchange, answer));
        } catch (RejectedExecutionException e) {
            discard(outcome);
        } catch (RuntimeException | Error e) {
            log.warn("a request could not be answered", e);
            discard(outcome);
        }
    }

    /** Whatever breaks while a reply is made, its client must not wait for the rest. */
    static void attempt(Exchange exchange, Runnable reply) {
        try {
            reply.run();
        } catch (RuntimeException | Error e) {
            fail(exchange, e);
        }
    }

    private static void fail(Exchange exchange, Throwable cause) {
        log.warn("a request could not be answered", cause);
        try {
            exchange.fail("the document cannot be served now");
        } catch (RuntimeException | Error e) {
            exchange.cut();
            log.warn("nor could its client be told", e);
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
            case Outcome.Missing missing -> missing(exchange);
            case Outcome.IsDirectory directory ->
                DocumentPath.directoryOf(exchange.head().target())
                        .ifPresentOrElse(
                                place -> exchange.refuse(301, "a directory ends with a slash", "Location: " + place),
                                () -> missing(exchange));
            case Outcome.Busy busy -> busy(exchange);
            case Outcome.Failed failed -> exchange.refuse(500, "the document cannot be read now");
        }
    }

    private static void missing(Exchange exchange) {
        exchange.refuse(404, "no such document");
    }

    static void busy(Exchange exchange) {
        exchange.refuse(503, "busy; try again", "Retry-After: 1");
    }

    private static Plan plan(Exchange exchange, DocumentPath path, Identity identity) {
        return Plan.of(Answer.to(exchange.head(), identity, Instant.now()), path, identity);
    }

    /** Takes over the document: from here on the reply sees to it that it is released. */
    private static void document(Exchange exchange, DocumentPath path, Document document) {
        if (exchange.head().hasAny(Preconditions.FIELDS)) {
            sendPlanned(exchange, path, document);
            return;
        }
        beginWhole(exchange, document);
        int bytes = (int) document.identity().bytes();
        if (document.isLasting()) {
            exchange.writeLasting(document.memory(), document.headBytes(), bytes, document);
        } else {
            exchange.writeShared(document.memory(), document.headBytes(), bytes, document);
        }
        exchange.end();
    }

    private static void beginWhole(Exchange exchange, Document document) {
        try {
            exchange.newHead().put(document.memory(), 0, document.headBytes()).put(exchange.dateLine());
            exchange.begin(OK, Framing.LENGTH);
        } catch (RuntimeException | Error e) {
            document.release();
            throw e;
        }
    }

    private static void sendPlanned(Exchange exchange, DocumentPath path, Document document) {
        try {
            Plan plan = plan(exchange, path, document.identity());
            begin(exchange, plan);
            for (Plan.Segment segment : plan.segments()) {
                exchange.write(Unpooled.wrappedBuffer(segment.before()));
                int from = document.headBytes() + (int) segment.from();
                exchange.writeShared(document.memory(), from, (int) segment.bytes(), document.retain());
            }
            exchange.write(Unpooled.wrappedBuffer(plan.end()));
            exchange.end();
        } finally {
            document.release();
        }
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
            blocking.execute(new StreamPump(store, document, plan, sendFiles, exchange));
        } catch (RejectedExecutionException e) {
            busy(exchange);
        }
    }
}
