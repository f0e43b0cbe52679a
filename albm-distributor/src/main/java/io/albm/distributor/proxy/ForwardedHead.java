// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Turns a head that came in into the head that goes out: without what is meant for one hop only (RFC 9110, 7.6.1), with
 * what the next hop should know.
 */
final class ForwardedHead {
    private static final String VIA = "1.1 albm";
    private static final List<CharSequence> HOP_BY_HOP = List.of(
            HttpHeaderNames.CONNECTION,
            "Keep-Alive",
            "Proxy-Connection",
            HttpHeaderNames.TE,
            HttpHeaderNames.TRAILER,
            HttpHeaderNames.TRANSFER_ENCODING,
            HttpHeaderNames.UPGRADE);

    /** A client that could have these removed by naming them would choose where its body ends, or whom it talks to. */
    private static final Set<String> NEVER_BY_NAME = Set.of("host", "content-length", "transfer-encoding");

    private ForwardedHead() {}

    /**
     * The request as a backend gets it.
     *
     * @param client the client's address without its port
     */
    static HttpRequest request(HttpRequest request, String client) {
        boolean chunked = HttpUtil.isTransferEncodingChunked(request);
        HttpHeaders headers = endToEnd(request.headers());
        if (chunked) {
            headers.set(HttpHeaderNames.TRANSFER_ENCODING, HttpHeaderValues.CHUNKED);
        }
        String target = request.uri();
        if (RequestRules.isAbsolute(target)) {
            RequestRules.authority(target).ifPresent(authority -> headers.set(HttpHeaderNames.HOST, authority));
            target = path(target);
        }
        append(headers, "X-Forwarded-For", client);
        headers.set("X-Forwarded-Proto", "http");
        append(headers, HttpHeaderNames.VIA, VIA);
        return new DefaultHttpRequest(HttpVersion.HTTP_1_1, request.method(), target, headers);
    }

    private static String path(String absolute) {
        int authority = absolute.indexOf("://") + "://".length();
        int path = firstOf(absolute, "/?", authority);
        if (path == absolute.length()) {
            return "/";
        }
        return absolute.charAt(path) == '?' ? "/" + absolute.substring(path) : absolute.substring(path);
    }

    private static int firstOf(String text, String marks, int from) {
        int at = from;
        while (at < text.length() && marks.indexOf(text.charAt(at)) < 0) {
            at++;
        }
        return at;
    }

    /** The response as the client gets it, whose framing and connection headers are still to be set. */
    static HttpResponse response(HttpResponse response) {
        HttpHeaders headers = endToEnd(response.headers());
        append(headers, HttpHeaderNames.VIA, VIA);
        return new DefaultHttpResponse(HttpVersion.HTTP_1_1, response.status(), headers);
    }

    private static HttpHeaders endToEnd(HttpHeaders incoming) {
        HttpHeaders headers = incoming.copy();
        named(incoming).forEach(headers::remove);
        HOP_BY_HOP.forEach(headers::remove);
        return headers;
    }

    private static Set<String> named(HttpHeaders headers) {
        var names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (String list : headers.getAll(HttpHeaderNames.CONNECTION)) {
            Arrays.stream(list.split(",")).map(String::strip).forEach(names::add);
        }
        NEVER_BY_NAME.forEach(names::remove);
        names.remove("");
        return names;
    }

    private static void append(HttpHeaders headers, CharSequence name, String value) {
        List<String> before = headers.getAll(name);
        headers.set(name, before.isEmpty() ? value : String.join(", ", before) + ", " + value);
    }
}
