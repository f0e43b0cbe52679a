// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.http;

import io.albm.core.http.HeadWriter;
import io.albm.core.http.Refusal;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;

/** An answer that comes from the proxy itself, with the reason as text and in a header line. */
public final class LocalAnswer {
    private static final int SERVICE_UNAVAILABLE = 503;
    private static final String RETRY_AFTER_SECONDS = "1";

    private LocalAnswer() {}

    /**
     * The whole answer.
     *
     * @param withBody false for an answer to HEAD
     */
    public static ByteBuf of(
            Refusal refusal, ResponseForwarder.Ending ending, boolean withBody, ByteBufAllocator allocator) {
        String reason = oneLine(refusal.reason());
        byte[] body = (reason + "\n").getBytes(StandardCharsets.UTF_8);
        var out = new HeadWriter();
        out.put("HTTP/1.1 " + HttpResponseStatus.valueOf(refusal.status()) + "\r\n");
        out.put("Content-Type: text/plain; charset=utf-8\r\nContent-Length: ").put(body.length);
        out.put("\r\nX-Albm-Reason: ")
                .put(reason.getBytes(StandardCharsets.UTF_8))
                .crlf();
        if (refusal.status() == SERVICE_UNAVAILABLE) {
            out.put("Retry-After: " + RETRY_AFTER_SECONDS + "\r\n");
        }
        ResponseForwarder.connection(out, ending);
        out.crlf();
        if (withBody) {
            out.put(body);
        }
        return out.toBuffer(allocator, 0);
    }

    static String oneLine(String reason) {
        return reason.replaceAll("\\p{Cntrl}", " ");
    }
}
