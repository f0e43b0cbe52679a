// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.core.http.HeadWriter;
import io.albm.core.http.Refusal;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;

/** Words replies that are one line of text. */
final class PlainReply {
    private PlainReply() {}

    static byte[] text(String reason) {
        return (reason.replaceAll("\\p{Cntrl}", " ") + "\n").getBytes(StandardCharsets.UTF_8);
    }

    /** Writes all lines but those of {@link CommonLines#end}. */
    static void head(HeadWriter to, int status, int bytes, byte[] date, String... lines) {
        to.put("HTTP/1.1 " + HttpResponseStatus.valueOf(status)).crlf();
        for (String line : lines) {
            to.put(line).crlf();
        }
        to.put("Content-Type: text/plain; charset=utf-8\r\nContent-Length: ")
                .put(bytes)
                .crlf();
        to.put(date);
    }

    /** Answers what is no request, and says that the connection ends. */
    static void refuse(Outbox outbox, LoopContext loop, Refusal why) {
        byte[] text = text(why.reason());
        HeadWriter head = loop.writer().clear();
        head(head, why.status(), text.length, loop.lines().date());
        loop.stats().count(why.status());
        loop.stats().addBody(text.length);
        loop.lines().end(head, false, true, false);
        outbox.bytes(head);
        outbox.bytes(text);
    }
}
