// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.http;

import io.albm.core.http.Field;
import io.albm.core.http.Head;
import io.albm.core.http.Refusal;
import io.albm.core.http.ResponseHead;
import io.albm.core.http.Trailers;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2Headers;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;

/** Says a response of HTTP/1.1 in HTTP/2: names in lower case, without what was meant for one connection. */
public final class Http2Response {
    private static final long DROPPED = HopByHop.FIELDS | Field.TRANSFER_ENCODING.bit();
    private static final AsciiString VIA = AsciiString.cached("via");
    private static final AsciiString VIA_ALBM = AsciiString.cached("1.1 albm");
    private static final String SERVICE_UNAVAILABLE_RETRY_SECONDS = "1";
    private static final int SERVICE_UNAVAILABLE = 503;

    private Http2Response() {}

    /** The head of a response, or of an interim one. */
    public static Http2Headers of(ResponseHead head) {
        var headers = new DefaultHttp2Headers(false, head.count() + 2);
        headers.status(status(head.status()));
        long dropped = head.isWithoutLength() ? DROPPED | Field.CONTENT_LENGTH.bit() : DROPPED;
        for (int line = 0; line < head.count(); line++) {
            if ((head.field(line).bit() & dropped) == 0 && !head.isNamed(line)) {
                headers.add(name(head, line), value(head, line));
            }
        }
        return headers.add(VIA, VIA_ALBM);
    }

    /** What stands behind a body; empty if nothing of it may be said there. */
    public static Http2Headers of(Trailers trailers) {
        var headers = new DefaultHttp2Headers(false, trailers.count());
        for (int line = 0; line < trailers.count(); line++) {
            if (trailers.isPermitted(line)) {
                headers.add(name(trailers, line), value(trailers, line));
            }
        }
        return headers;
    }

    private static AsciiString status(int status) {
        return AsciiString.of(Integer.toString(status));
    }

    private static AsciiString name(Head head, int line) {
        return new AsciiString(head.bytes(), head.nameStart(line), head.nameEnd(line) - head.nameStart(line), true)
                .toLowerCase();
    }

    private static AsciiString value(Head head, int line) {
        return new AsciiString(head.bytes(), head.valueStart(line), head.valueEnd(line) - head.valueStart(line), true);
    }

    /** The head of an answer that comes from the proxy itself, to be followed by {@link #body}. */
    public static Http2Headers of(Refusal refusal) {
        Http2Headers headers = new DefaultHttp2Headers(false, 4)
                .status(status(refusal.status()))
                .add("content-type", "text/plain; charset=utf-8")
                .add("content-length", Integer.toString(body(refusal).length))
                .add("x-albm-reason", LocalAnswer.oneLine(refusal.reason()));
        return refusal.status() == SERVICE_UNAVAILABLE
                ? headers.add("retry-after", SERVICE_UNAVAILABLE_RETRY_SECONDS)
                : headers;
    }

    /** The reason as text. */
    public static byte[] body(Refusal refusal) {
        return (LocalAnswer.oneLine(refusal.reason()) + "\n").getBytes(StandardCharsets.UTF_8);
    }
}
