// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.http.BodyReader;
import io.albm.core.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Cuts what a backend sends into heads and bodies: {@link RequestReader}'s twin. It holds no bytes, because a backend that
 * is to wait is not read from; what belongs to no response is given back. Confined to its event loop.
 */
final class ResponseReader {
    /** Where responses go. */
    interface Sink extends BodyReader.Sink {
        /** Whether a response is awaited, or under way. */
        boolean takesResponse();

        /** An answer before the real one; its head stays the reader's. */
        void interim(ResponseHead head);

        /** A response; its head is the sink's from now on. */
        void response(ResponseHead head);

        /** Where bytes of the body may go past {@code bodyBytes} now; null if they may not. */
        @Nullable
        Channel bodyShortcut();

        /** So many bytes of the body went there. */
        void bodyMoved(long bytes);

        /** What came is no response; what follows means nothing. */
        void refuse(String reason);

        @Override
        default void bodyMalformed(String reason) {
            refuse(reason);
        }
    }

    private final Worker worker;
    private final Sink sink;
    private final BodyReader body = new BodyReader();
    private @Nullable ResponseHead head;
    private boolean answersHead;
    private boolean decoded;
    private boolean bulk;

    ResponseReader(Worker worker, Sink sink) {
        this.worker = worker;
        this.sink = sink;
    }

    /**
     * A request is about to be sent.
     *
     * @param toHead whether it is one without a body in its response
     * @param withoutChunks whether the data of a chunked body is wanted alone
     */
    void expect(boolean toHead, boolean withoutChunks) {
        answersHead = toHead;
        decoded = withoutChunks;
    }

    /**
     * Takes over what came from the backend.
     *
     * @return what belongs to no response; null for nothing
     */
    @Nullable
    ByteBuf read(ByteBuf in, ByteBufAllocator allocator) {
        bulk = !in.isWritable();
        ByteBuf rest = in;
        while (rest != null && rest.isReadable() && sink.takesResponse()) {
            rest = body.isOpen() ? body.read(rest, allocator, sink) : readHead(rest);
        }
        return rest;
    }

    /** All that could be read at once was handed over: what the kernel moved has no other end. */
    void readComplete() {
        body.end(sink);
    }

    /** Where what waits is to be moved to by the kernel; null if it is little, or may not be. */
    @Nullable
    Channel shortcutForBulk() {
        boolean wanted = bulk && body.knownRest() >= Shortcut.SMALLEST_BULK;
        return wanted ? sink.bodyShortcut() : null;
    }

    /** That backend's connection is about to be read: moves what need not be. */
    void beforeRead(Channel from) {
        Channel shortcut = shortcutForBulk();
        if (shortcut != null) {
            move(from, shortcut);
        }
    }

    private void move(Channel from, Channel shortcut) {
        long bytes = worker.shortcut().move(from, shortcut, body.knownRest());
        bulk = bytes >= Shortcut.SMALLEST_BULK;
        if (bytes > 0) {
            body.passedBy(bytes);
            sink.bodyMoved(bytes);
        }
    }

    private @Nullable ByteBuf readHead(ByteBuf in) {
        ResponseHead begun = head;
        if (begun == null) {
            begun = worker.heads().response();
            begun.answersHead(answersHead);
            head = begun;
        }
        return switch (begun.feed(in)) {
            case INCOMPLETE -> {
                in.release();
                yield null;
            }
            case REFUSED -> {
                in.release();
                String reason = Objects.requireNonNull(begun.refusal()).reason();
                recycleHead();
                sink.refuse(reason);
                yield null;
            }
            case COMPLETE -> {
                deliver(begun, !in.isReadable());
                yield in;
            }
        };
    }

    private void deliver(ResponseHead whole, boolean nothingFollows) {
        if (whole.isInterim()) {
            sink.interim(whole);
            whole.reset();
            return;
        }
        head = null;
        body.begin(whole.framing(), whole.contentLength(), decoded);
        boolean over = !body.isOpen();
        sink.response(whole);
        if (over) {
            sink.bodyEnd(nothingFollows);
        }
    }

    /** The connection is closed, which may be the end of a body. */
    void closed() {
        if (body.closed()) {
            sink.bodyEnd(false);
        }
    }

    /** Forgets what was begun: the connection is of no more use. */
    void close() {
        body.abandon();
        recycleHead();
    }

    private void recycleHead() {
        if (head != null) {
            worker.heads().recycle(head);
            head = null;
        }
    }
}
