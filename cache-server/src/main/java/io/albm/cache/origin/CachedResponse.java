// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.cache.store.Document;
import io.albm.cache.store.Resident;
import io.albm.core.http.HeadWriter;
import io.netty.buffer.ByteBuf;

/**
 * A whole response in main memory: its field lines as they are sent, and behind them its body, in one buffer. A validation
 * replaces what is known of it and its lines, which from then on stand on the heap; its bytes never change.
 */
final class CachedResponse implements Resident {

    /** What is known of it now, in one piece. */
    private sealed interface Lines {
        StoredHead head();

        /** What the response takes on the heap with them. */
        long heapBytes();

        record AsStored(StoredHead head, long heapBytes) implements Lines {}

        @SuppressWarnings("ArrayRecordComponent") // never compared
        record Validated(StoredHead head, byte[] text, long heapBytes) implements Lines {}
    }

    private final ResponseKey key;
    private final Selection selection;
    private final Document document;
    private volatile Lines lines;

    private long requests;

    /** Whether it may answer nothing any more, though its memory could not be given back yet. */
    volatile boolean outdated;

    /**
     * @param document the lines of {@code head}, see {@link ReplyLines#stored}, and behind them the body
     */
    CachedResponse(ResponseKey key, Selection selection, StoredHead head, Document document) {
        this.key = key;
        this.selection = selection;
        this.document = document;
        lines = new Lines.AsStored(head, heapBytes(head));
    }

    ResponseKey key() {
        return key;
    }

    Selection selection() {
        return selection;
    }

    @Override
    public Document document() {
        return document;
    }

    @Override
    public long requests() {
        return requests;
    }

    @Override
    public long heapBytes() {
        return lines.heapBytes();
    }

    private long heapBytes(StoredHead head) {
        return HeapBytes.ofEntry(key, selection) + HeapBytes.of(head);
    }

    /** It answered a request; to be told under the cache's lock. */
    void served() {
        requests++;
    }

    int bodyBytes() {
        return (int) document.identity().bytes();
    }

    ByteBuf memory() {
        return document.memory();
    }

    /** Where in {@link #memory} the body begins. */
    int bodyStart() {
        return document.headBytes();
    }

    StoredHead head() {
        return lines.head();
    }

    /** Another head; one that {@link #takesMoreOrLess} is not given to what is resident. */
    void validated(StoredHead head) {
        lines = encoded(head);
    }

    /** Whether it takes another amount of memory with that head. */
    boolean takesMoreOrLess(StoredHead head) {
        return encoded(head).heapBytes() != heapBytes();
    }

    private Lines encoded(StoredHead head) {
        HeadWriter writer = new HeadWriter();
        ReplyLines.stored(writer, head.reply());
        byte[] text = writer.copy().array();
        return new Lines.Validated(head, text, heapBytes(head) + HeapBytes.ofText(text.length));
    }

    /** Writes its field lines. */
    void writeLines(HeadWriter to) {
        switch (lines) {
            case Lines.AsStored asStored -> to.put(document.memory(), 0, document.headBytes());
            case Lines.Validated validated -> to.put(validated.text());
        }
    }

    /** Whether such a request may have it at all (RFC 9111, section 3.5). */
    boolean permits(CacheRequest request) {
        return !request.fields().has("Authorization") || head().policy().allowsAuthorized();
    }

    /** The same bytes with another head, as what such a request gets; a holder of its own. */
    CachedResponse with(StoredHead head, CacheRequest request) {
        document.retain();
        Selection selecting = Selection.of(head.reply().fields());
        CachedResponse other = new CachedResponse(ResponseKey.of(request, selecting), selecting, head, document);
        other.validated(head);
        return other;
    }

    /** One more holder of its bytes. */
    CachedResponse retained() {
        document.retain();
        return this;
    }

    void release() {
        document.release();
    }
}
