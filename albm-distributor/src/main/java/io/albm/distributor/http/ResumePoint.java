// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.http;

import io.albm.core.http.ContentRange;
import io.albm.core.http.Field;
import io.albm.core.http.Framing;
import io.albm.core.http.Method;
import io.albm.core.http.ResponseHead;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is needed to go on with a response whose backend died in the middle of the body.
 *
 * <p>The rest comes from another backend by {@code Range} with {@code If-Range} on the same entity tag. A strong tag
 * names one sequence of bytes (RFC 9110, 8.8.1), so two parts under one strong tag, coding and total length are parts of
 * one document. If the answer differs in anything, the client's connection is cut instead: a client sees a cut, but it
 * cannot see a splice.
 *
 * @param etag the strong entity tag, with its quotes
 * @param range which bytes of the document the response promised
 * @param coding the content coding, null for none
 * @param whole whether the client was promised the whole document (200) rather than a part (206)
 */
public record ResumePoint(
        String etag, ContentRange range, @Nullable String coding, boolean whole) {
    private static final int OK = 200;
    private static final int PARTIAL_CONTENT = 206;

    /** The point to go on from, if that response to that request can be resumed at all. */
    public static Optional<ResumePoint> of(Method method, ResponseHead response) {
        String etag = response.value(Field.ETAG);
        if (method != Method.GET
                || etag == null
                || !isStrong(etag)
                || response.framing() != Framing.LENGTH
                || response.isRepeated(Field.CONTENT_ENCODING)) {
            return Optional.empty();
        }
        String coding = response.value(Field.CONTENT_ENCODING);
        return promised(response).map(range -> new ResumePoint(etag, range, coding, response.status() == OK));
    }

    private static boolean isStrong(String etag) {
        return etag.length() >= 2 && etag.startsWith("\"") && etag.endsWith("\"");
    }

    private static Optional<ContentRange> promised(ResponseHead response) {
        long length = response.contentLength();
        return response.status() == OK
                ? Optional.of(new ContentRange(0, length - 1, length))
                : partial(response).filter(range -> range.length() == length);
    }

    private static Optional<ContentRange> partial(ResponseHead response) {
        String range = response.value(Field.CONTENT_RANGE);
        return response.status() == PARTIAL_CONTENT && range != null ? ContentRange.parse(range) : Optional.empty();
    }

    /**
     * The value of the {@code Range} line that asks for the rest.
     *
     * @param sent bytes of the body that the client has been given
     */
    String rangeAfter(long sent) {
        return "bytes=" + (range.first() + sent) + "-" + (whole ? "" : range.last());
    }

    /** Whether that response is the rest, to the byte. */
    public boolean isContinuedBy(ResponseHead response, long sent) {
        var rest = new ContentRange(range.first() + sent, range.last(), range.total());
        return partial(response).filter(rest::equals).isPresent()
                && response.framing() == Framing.LENGTH
                && response.contentLength() == rest.length()
                && etag.equals(response.value(Field.ETAG))
                && !response.isRepeated(Field.CONTENT_ENCODING)
                && Objects.equals(coding, response.value(Field.CONTENT_ENCODING));
    }
}
