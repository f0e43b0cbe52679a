// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.cache.origin.Errands.Errand;
import io.albm.cache.store.Document;
import io.albm.core.http.Framing;
import io.albm.core.http.ResponseHead;
import io.albm.core.time.MonotonicClock;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * What is kept of a response as it comes in: the copy that will be stored, whether it still may be, and what reading it
 * took. Confined to one event loop.
 */
final class Intake {

    private final ResponseCache cache;
    private final MonotonicClock clock;
    private final ByteBufAllocator allocator;
    private final CacheRequest request;
    private Errand errand;
    private long askedNanos;
    private @Nullable Copy copy;
    private @Nullable StoredHead head;

    Intake(OriginHandler handler, CacheRequest request) {
        this.request = request;
        cache = handler.cache();
        clock = handler.monotonic();
        allocator = handler.allocator();
        errand = cache.begins(request.uri());
        askedNanos = clock.nanoTime();
    }

    /** The request is sent now. */
    void asked() {
        askedNanos = clock.nanoTime();
    }

    /** The request changed resources: what others have under way for them is void, what comes of itself is not. */
    void changed(Fields response) {
        request.changed(response).forEach(cache::invalidate);
        cache.ends(errand);
        errand = cache.begins(request.uri());
    }

    /**
     * Begins to keep a response that may be stored. One that only the end of the connection delimits is not kept, since
     * nobody knows whether it is whole.
     *
     * @return whether it is kept
     */
    boolean begin(ResponseHead coming, StoredHead keeping) {
        head = keeping;
        if (coming.framing() != Framing.UNTIL_CLOSE) {
            Selection selection = Selection.of(keeping.reply().fields());
            long onHeap = HeapBytes.of(keeping) + HeapBytes.ofEntry(ResponseKey.of(request, selection), selection);
            copy = Copy.begin(coming, keeping, cache.largestBytes() - onHeap, cache.ledger(), allocator);
        }
        return copy != null;
    }

    boolean isKeeping() {
        return copy != null;
    }

    /**
     * Takes bytes of the body; where there is no room for them, the copy is given up.
     *
     * @param bytes still the caller's
     * @return where they are now, if they can be sent from there
     */
    @Nullable
    Document add(ByteBuf bytes) {
        Copy keeping = copy;
        if (keeping == null) {
            return null;
        }
        if (keeping.add(bytes)) {
            return keeping.place();
        }
        discard();
        return null;
    }

    /**
     * The response is whole: it is stored, and what it cost is learned.
     *
     * @param flight those who wait for it; null if nobody can
     * @param atFullPace whether nobody held the origin back
     * @return the response, stored or not, of which the caller holds a reference; null if it was not kept
     */
    @Nullable
    CachedResponse finish(@Nullable Flight flight, boolean atFullPace) {
        Copy whole = copy;
        copy = null;
        @Nullable Document document = whole == null ? null : whole.finish();
        if (document == null || head == null) {
            return null;
        }
        if (atFullPace) {
            cache.readCost().read(document.identity().bytes(), clock.nanoTime() - askedNanos);
        }
        return cache.store(request, head, document, flight, errand);
    }

    /** Gives up what was kept. */
    void discard() {
        Copy broken = copy;
        copy = null;
        if (broken != null) {
            broken.discard();
        }
    }

    /** The request is over. */
    void end() {
        cache.ends(errand);
    }
}
