// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.documents;

import io.albm.cache.http.ByteRange;
import io.albm.cache.source.DocumentPath;
import io.albm.cache.store.Identity;
import io.albm.core.http.HeadWriter;
import java.util.List;
import java.util.function.Consumer;

/**
 * A reply about a document, whatever the document's bytes come from. Pure.
 *
 * @param head writes the head, but for the lines of the moment
 * @param segments the body, piece by piece; none for a reply without
 * @param end what stands behind the last of them
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record Plan(int status, Consumer<HeadWriter> head, List<Segment> segments, byte[] end) {
    /**
     * A piece of a body.
     *
     * @param before what stands before it
     * @param from position of its first byte in the document
     * @param bytes how many
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Segment(byte[] before, long from, long bytes) {}

    private static final byte[] NOTHING = {};

    static Plan of(Answer answer, DocumentPath path, Identity identity) {
        return switch (answer) {
            case Answer.Whole whole -> one(200, head -> DocumentHeads.whole(path, identity, head), 0, identity.bytes());
            case Answer.One(ByteRange.Part part) ->
                one(206, head -> DocumentHeads.part(path, identity, part, head), part.first(), part.bytes());
            case Answer.Several(List<ByteRange.Part> parts) -> Multipart.plan(path, identity, parts);
            case Answer.NotModified same -> none(304, head -> DocumentHeads.notModified(path, identity, head));
            case Answer.Failed failed -> none(412, DocumentHeads::failed);
            case Answer.Unsatisfiable beyond -> none(416, head -> DocumentHeads.unsatisfiable(identity, head));
        };
    }

    private static Plan one(int status, Consumer<HeadWriter> head, long from, long bytes) {
        return new Plan(status, head, List.of(new Segment(NOTHING, from, bytes)), NOTHING);
    }

    private static Plan none(int status, Consumer<HeadWriter> head) {
        return new Plan(status, head, List.of(), NOTHING);
    }
}
