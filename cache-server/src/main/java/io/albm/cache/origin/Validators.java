// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What tells one version of a response from another (RFC 9110, section 8.8). Immutable.
 *
 * @param etag with its quotes and its weakness, as it came
 * @param lastModified as it came
 */
record Validators(@Nullable String etag, @Nullable String lastModified) {

    private static final String WEAK = "W/";

    static Validators of(Reply reply) {
        return new Validators(reply.fields().only("ETag"), reply.fields().only("Last-Modified"));
    }

    boolean any() {
        return etag != null || lastModified != null;
    }

    /** The fields that ask an origin whether this version is current (RFC 9111, section 4.3.1). */
    FieldList conditions() {
        FieldList conditions = FieldList.EMPTY;
        if (etag != null) {
            conditions = conditions.plus("If-None-Match", etag);
        }
        return lastModified == null ? conditions : conditions.plus("If-Modified-Since", lastModified);
    }

    /** Whether an {@code If-None-Match} names this version; weakness does not matter (RFC 9110, section 13.1.2). */
    boolean isNamedIn(List<String> ifNoneMatch) {
        return ListSyntax.members(ifNoneMatch).stream().anyMatch(tag -> tag.equals("*") || isSame(tag));
    }

    private boolean isSame(String tag) {
        return etag != null && opaque(tag).equals(opaque(etag));
    }

    /** Whether an {@code If-Range} names exactly this version (RFC 9110, section 13.1.5). */
    boolean isExactly(String ifRange) {
        boolean strong = etag != null && !etag.startsWith(WEAK);
        return (strong && ifRange.equals(etag)) || ifRange.equals(lastModified);
    }

    private static String opaque(String tag) {
        return tag.startsWith(WEAK) ? tag.substring(WEAK.length()) : tag;
    }

    /** The entity tag, if there is one. */
    Optional<String> tag() {
        return Optional.ofNullable(etag);
    }
}
