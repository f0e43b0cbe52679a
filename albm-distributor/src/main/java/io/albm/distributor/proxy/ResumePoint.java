// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
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
record ResumePoint(
        String etag, ContentRange range, @Nullable String coding, boolean whole) {
    private static final List<CharSequence> CONDITIONS = List.of(
            HttpHeaderNames.IF_MATCH,
            HttpHeaderNames.IF_NONE_MATCH,
            HttpHeaderNames.IF_MODIFIED_SINCE,
            HttpHeaderNames.IF_UNMODIFIED_SINCE);

    /** The point to go on from, if that response to that request can be resumed at all. */
    static Optional<ResumePoint> of(HttpMethod method, HttpResponse response) {
        String etag = response.headers().get(HttpHeaderNames.ETAG);
        if (!method.equals(HttpMethod.GET) || etag == null || !isStrong(etag)) {
            return Optional.empty();
        }
        String coding = response.headers().get(HttpHeaderNames.CONTENT_ENCODING);
        boolean whole = response.status().equals(HttpResponseStatus.OK);
        return promised(response).map(range -> new ResumePoint(etag, range, coding, whole));
    }

    private static boolean isStrong(String etag) {
        return etag.length() >= 2 && etag.startsWith("\"") && etag.endsWith("\"");
    }

    private static Optional<ContentRange> promised(HttpResponse response) {
        Optional<Long> length = length(response);
        if (response.status().equals(HttpResponseStatus.OK)) {
            return length.filter(bytes -> bytes > 0).map(bytes -> new ContentRange(0, bytes - 1, bytes));
        }
        return partial(response)
                .filter(range -> length.filter(bytes -> bytes == range.length()).isPresent());
    }

    private static Optional<ContentRange> partial(HttpResponse response) {
        List<String> ranges = response.headers().getAll(HttpHeaderNames.CONTENT_RANGE);
        return response.status().equals(HttpResponseStatus.PARTIAL_CONTENT) && ranges.size() == 1
                ? ContentRange.parse(ranges.getFirst())
                : Optional.empty();
    }

    private static Optional<Long> length(HttpResponse response) {
        String length = response.headers().get(HttpHeaderNames.CONTENT_LENGTH);
        return length == null || !length.matches("[0-9]{1,18}") ? Optional.empty() : Optional.of(Long.valueOf(length));
    }

    /**
     * The request for the rest.
     *
     * @param original what was sent to the first backend
     * @param sent bytes of the body that the client has been given
     */
    HttpRequest request(HttpRequest original, long sent) {
        var request = new DefaultHttpRequest(
                original.protocolVersion(),
                original.method(),
                original.uri(),
                original.headers().copy());
        HttpHeaders headers = request.headers();
        CONDITIONS.forEach(headers::remove);
        headers.set(HttpHeaderNames.RANGE, "bytes=" + (range.first() + sent) + "-" + (whole ? "" : range.last()));
        headers.set(HttpHeaderNames.IF_RANGE, etag);
        return request;
    }

    /** Whether that response is the rest, to the byte. */
    boolean isContinuedBy(HttpResponse response, long sent) {
        var rest = new ContentRange(range.first() + sent, range.last(), range.total());
        return partial(response).filter(rest::equals).isPresent()
                && length(response).filter(bytes -> bytes == rest.length()).isPresent()
                && etag.equals(response.headers().get(HttpHeaderNames.ETAG))
                && Objects.equals(coding, response.headers().get(HttpHeaderNames.CONTENT_ENCODING));
    }
}
