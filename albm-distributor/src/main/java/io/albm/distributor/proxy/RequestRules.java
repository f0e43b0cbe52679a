// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a well-formed head must say to be forwarded (RFC 9110 and 9112): one length, one host, one target, a known
 * version. Whoever breaks a rule gets an answer and loses the connection, since the start of the next request is unsure.
 */
final class RequestRules {
    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");
    private static final Pattern HOST =
            Pattern.compile("(\\[[0-9A-Fa-f:.]+]|[A-Za-z0-9._~!$&'()*+;=%-]+)(:[0-9]{0,5})?");
    private static final List<Function<HttpRequest, Optional<Refusal>>> RULES = List.of(
            RequestRules::version,
            RequestRules::method,
            RequestRules::transferEncoding,
            RequestRules::contentLength,
            RequestRules::host,
            RequestRules::target,
            RequestRules::expectation,
            RequestRules::decoded);

    private RequestRules() {}

    /** The first broken rule, if any. */
    static Optional<Refusal> check(HttpRequest request) {
        return RULES.stream().flatMap(rule -> rule.apply(request).stream()).findFirst();
    }

    private static Optional<Refusal> decoded(HttpRequest request) {
        return when(request.decoderResult().isFailure(), "malformed request head");
    }

    private static Optional<Refusal> version(HttpRequest request) {
        HttpVersion version = request.protocolVersion();
        return version.equals(HttpVersion.HTTP_1_1) || version.equals(HttpVersion.HTTP_1_0)
                ? Optional.empty()
                : refuse(HttpResponseStatus.HTTP_VERSION_NOT_SUPPORTED, "version: expected HTTP/1.0 or HTTP/1.1");
    }

    private static Optional<Refusal> method(HttpRequest request) {
        return request.method().equals(HttpMethod.CONNECT)
                ? refuse(HttpResponseStatus.NOT_IMPLEMENTED, "CONNECT: this is not a tunnel")
                : Optional.empty();
    }

    private static Optional<Refusal> transferEncoding(HttpRequest request) {
        HttpHeaders headers = request.headers();
        List<String> codings = headers.getAll(HttpHeaderNames.TRANSFER_ENCODING);
        if (codings.isEmpty()) {
            return Optional.empty();
        }
        if (headers.contains(HttpHeaderNames.CONTENT_LENGTH)) {
            return when(true, "Transfer-Encoding with Content-Length: expected one of them");
        }
        if (request.protocolVersion().equals(HttpVersion.HTTP_1_0)) {
            return when(true, "Transfer-Encoding in HTTP/1.0: expected Content-Length");
        }
        return codings.size() == 1 && codings.getFirst().equalsIgnoreCase("chunked")
                ? Optional.empty()
                : refuse(HttpResponseStatus.NOT_IMPLEMENTED, "Transfer-Encoding: expected chunked alone");
    }

    private static Optional<Refusal> contentLength(HttpRequest request) {
        List<String> lengths = request.headers().getAll(HttpHeaderNames.CONTENT_LENGTH);
        boolean wrong = lengths.size() > 1
                || lengths.stream().anyMatch(length -> !LENGTH.matcher(length).matches());
        return when(wrong, "Content-Length: expected one number");
    }

    private static Optional<Refusal> host(HttpRequest request) {
        List<String> hosts = request.headers().getAll(HttpHeaderNames.HOST);
        boolean missing = hosts.isEmpty() && request.protocolVersion().equals(HttpVersion.HTTP_1_1);
        boolean wrong = hosts.size() > 1
                || hosts.stream().anyMatch(host -> !HOST.matcher(host).matches());
        return when(missing || wrong, "Host: expected one host name or address");
    }

    private static Optional<Refusal> target(HttpRequest request) {
        String target = request.uri();
        boolean asterisk = target.equals("*") && request.method().equals(HttpMethod.OPTIONS);
        boolean known = asterisk || target.startsWith("/") || isAbsolute(target);
        return when(!known || target.indexOf('#') >= 0, "request target: expected a path or an http URI");
    }

    /** True for a target such as {@code http://host/path}, which proxies get. */
    static boolean isAbsolute(String target) {
        return Stream.of("http://", "https://")
                        .anyMatch(scheme -> target.regionMatches(true, 0, scheme, 0, scheme.length()))
                && authority(target)
                        .filter(host -> HOST.matcher(host).matches())
                        .isPresent();
    }

    /** The host and port of an absolute target. */
    static Optional<String> authority(String target) {
        try {
            return Optional.ofNullable(new URI(target).getRawAuthority());
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    private static Optional<Refusal> expectation(HttpRequest request) {
        List<String> expectations = request.headers().getAll(HttpHeaderNames.EXPECT);
        return expectations.stream().allMatch("100-continue"::equalsIgnoreCase)
                ? Optional.empty()
                : refuse(HttpResponseStatus.EXPECTATION_FAILED, "Expect: expected 100-continue");
    }

    private static Optional<Refusal> when(boolean broken, String reason) {
        return broken ? Optional.of(Refusal.badRequest(reason)) : Optional.empty();
    }

    private static Optional<Refusal> refuse(HttpResponseStatus status, String reason) {
        return Optional.of(new Refusal(status, reason));
    }
}
