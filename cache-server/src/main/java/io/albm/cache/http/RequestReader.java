// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.cache.source.DocumentPath;
import io.albm.cache.source.MalformedPathException;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.TooLongHttpHeaderException;
import io.netty.handler.codec.http.TooLongHttpLineException;

/** Turns a parsed head into an exchange: a document to ask for, or a refusal. Pure. */
final class RequestReader {

    private RequestReader() {}

    static Exchange read(HttpRequest request) {
        if (request.decoderResult().isFailure()) {
            return new Exchange(request, unreadable(request.decoderResult().cause()));
        }
        if (request.protocolVersion().majorVersion() != 1) {
            return refuse(request, HttpResponseStatus.HTTP_VERSION_NOT_SUPPORTED, "HTTP/1.1 is spoken here");
        }
        if (needsHost(request) && request.headers().getAll(HttpHeaderNames.HOST).size() != 1) {
            return refuse(request, HttpResponseStatus.BAD_REQUEST, "a request has one Host header");
        }
        if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.HEAD)) {
            return new Exchange(request, Refusal.methodNotAllowed());
        }
        return locate(request);
    }

    private static boolean needsHost(HttpRequest request) {
        return request.protocolVersion().compareTo(HttpVersion.HTTP_1_1) >= 0;
    }

    private static Exchange locate(HttpRequest request) {
        try {
            return new Exchange(request, DocumentPath.ofTarget(request.uri()));
        } catch (MalformedPathException e) {
            return new Exchange(request, Refusal.of(HttpResponseStatus.BAD_REQUEST, e.reason()));
        }
    }

    private static Exchange refuse(HttpRequest request, HttpResponseStatus status, String reason) {
        return new Exchange(request, Refusal.broken(status, reason));
    }

    private static Refusal unreadable(Throwable cause) {
        return switch (cause) {
            case TooLongHttpHeaderException e ->
                Refusal.broken(HttpResponseStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "the headers are too long");
            case TooLongHttpLineException e ->
                Refusal.broken(HttpResponseStatus.REQUEST_URI_TOO_LONG, "the request line is too long");
            default -> Refusal.broken(HttpResponseStatus.BAD_REQUEST, "this is not HTTP/1.1");
        };
    }
}
