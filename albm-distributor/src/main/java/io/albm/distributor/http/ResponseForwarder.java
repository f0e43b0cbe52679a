// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.http;

import io.albm.core.http.Field;
import io.albm.core.http.Framing;
import io.albm.core.http.HeadWriter;
import io.albm.core.http.ResponseHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;

/**
 * Writes a response as a client of HTTP/1.1 or 1.0 gets it: the lines as they came, without what was meant for one hop
 * only, framed so that this client sees the end. Belongs to one event loop.
 */
public final class ResponseForwarder {
    /** How the connection goes on after the response. */
    public enum Ending {
        /** It stays, as it does by itself in HTTP/1.1. */
        STAYS,
        /** It stays, which a client of HTTP/1.0 has to be told. */
        STAYS_AS_AGREED,
        CLOSES,
        /** It goes on in another protocol. */
        SWITCHES
    }

    private static final long WITHOUT_CHUNKS = HopByHop.FIELDS | Field.TRANSFER_ENCODING.bit();

    private static final byte[] VERSION = ascii("HTTP/1.1");
    private static final byte[] CHUNKED = ascii("Transfer-Encoding: chunked\r\n");
    private static final byte[] CLOSE = ascii("Connection: close\r\n");
    private static final byte[] KEEP_ALIVE = ascii("Connection: keep-alive\r\n");
    private static final byte[] UPGRADE = ascii("Connection: Upgrade\r\n");
    private static final byte[] VIA = ascii("Via: 1.1 albm\r\n\r\n");

    private final HeadWriter out = new HeadWriter();

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * The response's head.
     *
     * @param chunked whether the body goes on in chunks
     * @param slack bytes that can be written behind the head
     */
    public ByteBuf write(ResponseHead head, boolean chunked, Ending ending, ByteBufAllocator allocator, int slack) {
        out.clear();
        statusLine(head);
        boolean passed = chunked && head.framing() == Framing.CHUNKED;
        long dropped = passed ? HopByHop.FIELDS : WITHOUT_CHUNKS;
        if (head.isWithoutLength()) {
            dropped |= Field.CONTENT_LENGTH.bit();
        }
        if (ending == Ending.SWITCHES) {
            dropped &= ~Field.UPGRADE.bit();
        }
        out.lines(head, dropped);
        if (chunked && !passed) {
            out.put(CHUNKED);
        }
        connection(out, ending);
        return out.put(VIA).toBuffer(allocator, slack);
    }

    /** Writes the {@code Connection} line, if one is needed. */
    static void connection(HeadWriter to, Ending ending) {
        switch (ending) {
            case STAYS -> {}
            case STAYS_AS_AGREED -> to.put(KEEP_ALIVE);
            case CLOSES -> to.put(CLOSE);
            case SWITCHES -> to.put(UPGRADE);
        }
    }

    private void statusLine(ResponseHead head) {
        out.put(VERSION).put(head.bytes(), VERSION.length, head.reasonEnd());
        if (head.hasNoReason()) {
            out.put(' ');
        }
        out.crlf();
    }
}
