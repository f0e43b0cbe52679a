// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.documents;

import io.albm.cache.http.ByteRange;
import io.albm.cache.http.Preconditions;
import io.albm.cache.store.Identity;
import io.albm.core.http.Field;
import io.albm.core.http.Method;
import io.albm.core.http.RequestHead;
import java.time.Instant;
import java.util.List;

/** What a request for a document that is there is answered with. Pure. */
sealed interface Answer {
    /** 200. */
    record Whole() implements Answer {}

    /** 206 with one part. */
    record One(ByteRange.Part part) implements Answer {}

    /** 206 with several parts, in the order asked for. */
    record Several(List<ByteRange.Part> parts) implements Answer {}

    /** 304. */
    record NotModified() implements Answer {}

    /** 412. */
    record Failed() implements Answer {}

    /** 416. */
    record Unsatisfiable() implements Answer {}

    /** Decides in the order of RFC 9110, section 13.2.2. */
    static Answer to(RequestHead request, Identity identity, Instant now) {
        if (!request.hasAny(Preconditions.FIELDS)) {
            return new Whole();
        }
        return switch (Preconditions.evaluate(request, identity.etag(), identity.modified())) {
            case FAILED -> new Failed();
            case NOT_MODIFIED -> new NotModified();
            case PROCEED -> content(request, identity, now);
        };
    }

    private static Answer content(RequestHead request, Identity identity, Instant now) {
        boolean mayBePart = request.method() == Method.GET
                && Preconditions.allowsRange(request, identity.etag(), identity.modified(), now);
        return switch (ByteRange.parse(mayBePart ? request.value(Field.RANGE) : null, identity.bytes())) {
            case ByteRange.Whole whole -> new Whole();
            case ByteRange.Parts parts
            when parts.parts().size() == 1 -> new One(parts.parts().getFirst());
            case ByteRange.Parts parts -> new Several(parts.parts());
            case ByteRange.Unsatisfiable none -> new Unsatisfiable();
        };
    }
}
