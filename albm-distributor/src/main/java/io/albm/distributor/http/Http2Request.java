// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.http;

import io.albm.core.http.Field;
import io.albm.core.http.HeadWriter;
import io.albm.core.http.Syntax;
import io.albm.core.http.Trailers;
import io.netty.handler.codec.http2.Http2Headers;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says a request of HTTP/2 in HTTP/1.1, so that it goes through the same parser and the same rules as every other (RFC
 * 9113, 8.3). What HTTP/2 forbids, and what would be read as something else in HTTP/1.1 (a line break in a value, a
 * second host), is malformed: the stream is reset, as RFC 9113 (8.1.1) asks for.
 */
public final class Http2Request {
    private static final String METHOD =
            Http2Headers.PseudoHeaderName.METHOD.value().toString();
    private static final String SCHEME =
            Http2Headers.PseudoHeaderName.SCHEME.value().toString();
    private static final String AUTHORITY =
            Http2Headers.PseudoHeaderName.AUTHORITY.value().toString();
    private static final String PATH =
            Http2Headers.PseudoHeaderName.PATH.value().toString();
    private static final Set<String> PSEUDO = Set.of(METHOD, SCHEME, AUTHORITY, PATH);
    private static final Set<String> OF_ONE_CONNECTION =
            Set.of("connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade", "http2-settings");
    private static final String HOST = "host";
    private static final String COOKIE = "cookie";
    private static final String CONTENT_LENGTH = "content-length";
    private static final String TE = "te";

    private final Http2Headers headers;
    private final boolean bodyFollows;
    private final HeadWriter out;

    private Http2Request(Http2Headers headers, boolean bodyFollows, HeadWriter out) {
        this.headers = headers;
        this.bodyFollows = bodyFollows;
        this.out = out;
    }

    /**
     * Writes the head.
     *
     * @param bodyFollows whether the stream stays open for a body; without a length it is to be sent in chunks
     * @return false if the request is malformed; what was written is then worth nothing
     */
    public static boolean write(Http2Headers headers, boolean bodyFollows, HeadWriter to) {
        to.clear();
        var request = new Http2Request(headers, bodyFollows, to);
        return request.isWellFormed() && request.firstLine() && request.lines();
    }

    private boolean isWellFormed() {
        boolean regular = false;
        for (Map.Entry<CharSequence, CharSequence> header : headers) {
            String name = header.getKey().toString();
            boolean pseudo = name.startsWith(":");
            if (pseudo ? regular || !PSEUDO.contains(name) : !isRegular(name, header.getValue())) {
                return false;
            }
            regular |= !pseudo;
        }
        return one(METHOD) != null && one(SCHEME) != null && one(PATH) != null;
    }

    private static boolean isRegular(String name, CharSequence value) {
        return isName(name)
                && isValue(value)
                && !OF_ONE_CONNECTION.contains(name)
                && (!name.equals(TE) || value.toString().equals("trailers"));
    }

    private static boolean isName(String name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c > 0x7f || (c >= 'A' && c <= 'Z') || !Syntax.isToken((byte) c)) {
                return false;
            }
        }
        return !name.isEmpty();
    }

    private static boolean isValue(CharSequence value) {
        for (int i = 0; i < value.length(); i++) {
            if (!Syntax.isValue((byte) value.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /** The value of a header that must be there once; null otherwise. */
    private @Nullable String one(String name) {
        var values = headers.getAll(name);
        return values.size() == 1 && isVisible(values.getFirst())
                ? values.getFirst().toString()
                : null;
    }

    private static boolean isVisible(CharSequence value) {
        for (int i = 0; i < value.length(); i++) {
            if (!Syntax.isVisible((byte) value.charAt(i))) {
                return false;
            }
        }
        return !value.isEmpty();
    }

    private boolean firstLine() {
        String method = one(METHOD);
        String path = one(PATH);
        if (method == null || path == null || !isName(lower(method)) || !(path.startsWith("/") || path.equals("*"))) {
            return false;
        }
        out.put(method).put(" ").put(path).put(" HTTP/1.1\r\n");
        return host();
    }

    private static String lower(String method) {
        return method.toLowerCase(Locale.ROOT);
    }

    /** The authority and a host must not name two hosts (RFC 9113, 8.3.1). */
    private boolean host() {
        var hosts = headers.getAll(HOST);
        var authorities = headers.getAll(AUTHORITY);
        if (hosts.size() > 1 || authorities.size() > 1 || hosts.size() + authorities.size() == 0) {
            return false;
        }
        String host = (authorities.isEmpty() ? hosts : authorities).getFirst().toString();
        boolean same = hosts.isEmpty() || hosts.getFirst().toString().equalsIgnoreCase(host);
        out.put("host: ").put(host).put("\r\n");
        return same && isVisible(host);
    }

    private boolean lines() {
        for (Map.Entry<CharSequence, CharSequence> header : headers) {
            String name = header.getKey().toString();
            if (!PSEUDO.contains(name) && !name.equals(HOST) && !name.equals(COOKIE) && !name.equals(TE)) {
                line(name, header.getValue());
            }
        }
        cookies();
        if (bodyFollows && !headers.contains(CONTENT_LENGTH)) {
            out.put("transfer-encoding: chunked\r\n");
        }
        out.put("\r\n");
        return true;
    }

    private void line(String name, CharSequence value) {
        out.put(name).put(": ").put(value.toString()).put("\r\n");
    }

    /** Crumbs that were apart for compression belong together in HTTP/1.1 (RFC 9113, 8.2.3). */
    private void cookies() {
        var crumbs = headers.getAll(COOKIE);
        if (!crumbs.isEmpty()) {
            line(COOKIE, String.join("; ", crumbs));
        }
    }

    /**
     * Writes the trailers of a chunked request, behind its last data: the last chunk, the lines and the empty one. What
     * trailers may not say is left out.
     *
     * @return false if they are malformed
     */
    public static boolean writeTrailers(Http2Headers trailers, HeadWriter to) {
        to.clear().put("0\r\n");
        for (Map.Entry<CharSequence, CharSequence> trailer : trailers) {
            String name = trailer.getKey().toString();
            if (!isRegular(name, trailer.getValue())) {
                return false;
            }
            byte[] ascii = name.getBytes(StandardCharsets.US_ASCII);
            if (!Trailers.isForbidden(Field.of(ascii, 0, ascii.length))) {
                to.put(name).put(": ").put(trailer.getValue().toString()).put("\r\n");
            }
        }
        to.put("\r\n");
        return true;
    }
}
