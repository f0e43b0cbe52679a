// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.cache.source.DocumentPath;
import io.albm.cache.store.Identity;
import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.DefaultHttpHeaders;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.time.Instant;
import java.util.Date;

/**
 * What to send for a document: status, headers and which bytes. Pure.
 *
 * @param from position of the first byte of the body
 * @param bytes length of the body, 0 for none
 */
record Answer(HttpResponseStatus status, HttpHeaders headers, long from, long bytes) {

    static Answer to(HttpMethod method, HttpHeaders request, DocumentPath path, Identity identity, Instant now) {
        return switch (Preconditions.evaluate(request, identity)) {
            case FAILED -> new Answer(HttpResponseStatus.PRECONDITION_FAILED, length(0), 0, 0);
            case NOT_MODIFIED -> new Answer(HttpResponseStatus.NOT_MODIFIED, validators(identity), 0, 0);
            case PROCEED -> content(method, request, path, identity, now);
        };
    }

    private static Answer content(
            HttpMethod method, HttpHeaders request, DocumentPath path, Identity identity, Instant now) {
        boolean mayBePart = method.equals(HttpMethod.GET) && Preconditions.allowsRange(request, identity, now);
        String range = mayBePart ? request.get(HttpHeaderNames.RANGE) : null;
        return switch (ByteRange.parse(range, identity.bytes())) {
            case ByteRange.Whole whole -> whole(method, path, identity);
            case ByteRange.Part part -> part(part, path, identity);
            case ByteRange.Unsatisfiable none -> unsatisfiable(identity);
        };
    }

    private static Answer whole(HttpMethod method, DocumentPath path, Identity identity) {
        HttpHeaders headers = describe(path, identity).set(HttpHeaderNames.CONTENT_LENGTH, identity.bytes());
        return new Answer(HttpResponseStatus.OK, headers, 0, method.equals(HttpMethod.HEAD) ? 0 : identity.bytes());
    }

    private static Answer part(ByteRange.Part part, DocumentPath path, Identity identity) {
        HttpHeaders headers = describe(path, identity)
                .set(HttpHeaderNames.CONTENT_LENGTH, part.bytes())
                .set(
                        HttpHeaderNames.CONTENT_RANGE,
                        "bytes " + part.first() + "-" + part.last() + "/" + identity.bytes());
        return new Answer(HttpResponseStatus.PARTIAL_CONTENT, headers, part.first(), part.bytes());
    }

    private static Answer unsatisfiable(Identity identity) {
        HttpHeaders headers = length(0).set(HttpHeaderNames.CONTENT_RANGE, "bytes */" + identity.bytes());
        return new Answer(HttpResponseStatus.REQUESTED_RANGE_NOT_SATISFIABLE, headers, 0, 0);
    }

    private static HttpHeaders describe(DocumentPath path, Identity identity) {
        return validators(identity)
                .set(HttpHeaderNames.CONTENT_TYPE, ContentTypes.of(path.value()))
                .set(HttpHeaderNames.ACCEPT_RANGES, "bytes");
    }

    private static HttpHeaders validators(Identity identity) {
        return new DefaultHttpHeaders()
                .set(HttpHeaderNames.ETAG, identity.etag())
                .set(HttpHeaderNames.LAST_MODIFIED, DateFormatter.format(Date.from(identity.modified())));
    }

    private static HttpHeaders length(long bytes) {
        return new DefaultHttpHeaders().set(HttpHeaderNames.CONTENT_LENGTH, bytes);
    }
}
