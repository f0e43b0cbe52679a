// SPDX-License-Identifier: Apache-2.0
package io.albm.core.web;

import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One request, whole in memory; the server bounds its size.
 *
 * @param method GET (also for HEAD) or POST
 * @param path decoded, without the query
 * @param query decoded parameters in their order
 * @param origin the page that a browser sent it from, if it said so
 * @param body empty unless a POST
 */
public record WebRequest(
        String method, String path, Map<String, List<String>> query, Optional<String> origin, String body) {

    static WebRequest of(FullHttpRequest request) {
        var uri = new QueryStringDecoder(request.uri());
        var method = request.method().equals(HttpMethod.HEAD) ? HttpMethod.GET : request.method();
        return new WebRequest(
                method.name(),
                uri.path(),
                uri.parameters(),
                Optional.ofNullable(request.headers().get(HttpHeaderNames.ORIGIN)),
                request.content().toString(StandardCharsets.UTF_8));
    }
}
