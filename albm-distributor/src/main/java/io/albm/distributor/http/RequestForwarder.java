// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.http;

import io.albm.core.http.Field;
import io.albm.core.http.HeadWriter;
import io.albm.core.http.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.charset.StandardCharsets;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Writes a request as a backend gets it: the lines as they came, without what is meant for one hop only, with what the
 * next hop should know. Belongs to one event loop.
 *
 * <p>A client's own {@code X-Forwarded-Proto} and {@code -Host} are replaced, its {@code X-Forwarded-For} is gone on
 * with: only the last address of it is ours to vouch for.
 */
public final class RequestForwarder {
    private static final long REPLACED =
            HopByHop.FIELDS | Field.set(Field.X_FORWARDED_FOR, Field.X_FORWARDED_HOST, Field.X_FORWARDED_PROTO);
    private static final long CONDITIONS = Field.set(
            Field.IF_MATCH,
            Field.IF_NONE_MATCH,
            Field.IF_MODIFIED_SINCE,
            Field.IF_UNMODIFIED_SINCE,
            Field.IF_RANGE,
            Field.RANGE);

    private static final byte[] VERSION = ascii(" HTTP/1.1\r\n");
    private static final byte[] HOST = ascii("Host: ");
    private static final byte[] FORWARDED_FOR = ascii("X-Forwarded-For: ");
    private static final byte[] PROTO = ascii("\r\nX-Forwarded-Proto: ");
    private static final byte[] HTTP = ascii("http");
    private static final byte[] HTTPS = ascii("https");
    private static final byte[] FORWARDED_HOST = ascii("X-Forwarded-Host: ");
    private static final byte[] WAITING = ascii("Albm-Waiting: ");
    private static final byte[] UPGRADE = ascii("Connection: Upgrade\r\n");
    private static final byte[] VIA = ascii("Via: 1.1 albm\r\n\r\n");
    private static final byte[] SLASH = ascii("/");

    private final Forwarding forwarding;
    private final RandomGenerator random;
    private final HeadWriter out = new HeadWriter();

    /**
     * A forwarder.
     *
     * @param random where request ids come from
     */
    public RequestForwarder(Forwarding forwarding, RandomGenerator random) {
        this.forwarding = forwarding;
        this.random = random;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /**
     * The request's head.
     *
     * @param client whom the request comes from
     * @param backend host and port, for a request of HTTP/1.0 that names no host
     * @param waiting what the backend is told of the requests that wait for one; empty for nothing
     */
    public ByteBuf write(RequestHead head, Client client, byte[] backend, byte[] waiting, ByteBufAllocator allocator) {
        begin(head, backend, 0);
        if (waiting.length > 0) {
            out.put(WAITING).put(waiting).crlf();
        }
        return end(head, client).toBuffer(allocator, 0);
    }

    /**
     * The head of a request for the rest of a response.
     *
     * @param sent bytes of the body that the client has been given
     */
    public ByteBuf writeRest(
            RequestHead head, Client client, byte[] backend, ByteBufAllocator allocator, ResumePoint point, long sent) {
        begin(head, backend, CONDITIONS);
        out.put("Range: ").put(point.rangeAfter(sent)).crlf();
        out.put("If-Range: ").put(point.etag()).crlf();
        return end(head, client).toBuffer(allocator, 0);
    }

    private void begin(RequestHead head, byte[] backend, long alsoDropped) {
        out.clear();
        requestLine(head);
        if (!head.has(Field.HOST) || head.isAbsolute()) {
            host(HOST, head, backend);
        }
        long dropped = REPLACED | alsoDropped;
        if (head.isAbsolute()) {
            dropped |= Field.HOST.bit();
        }
        if (forwarding.requestId() && !RequestId.isWellFormed(head)) {
            dropped |= Field.X_REQUEST_ID.bit();
        }
        if (head.isUpgrade()) {
            dropped &= ~Field.UPGRADE.bit();
            out.put(UPGRADE);
        }
        out.lines(head, dropped);
    }

    private void requestLine(RequestHead head) {
        if (head.isAbsolute()) {
            out.put(head.bytes(), head.methodStart(), head.targetStart());
            if (head.authorityEnd() == head.targetEnd() || head.bytes()[head.authorityEnd()] != '/') {
                out.put(SLASH);
            }
            out.put(head.bytes(), head.authorityEnd(), head.targetEnd());
        } else {
            out.put(head.bytes(), head.methodStart(), head.targetEnd());
        }
        out.put(VERSION);
    }

    private void host(byte[] name, RequestHead head, byte @Nullable [] otherwise) {
        if (head.isAbsolute()) {
            out.put(name)
                    .put(head.bytes(), head.authorityStart(), head.authorityEnd())
                    .crlf();
        } else if (head.has(Field.HOST)) {
            int line = head.next(Field.HOST, 0);
            out.put(name)
                    .put(head.bytes(), head.valueStart(line), head.valueEnd(line))
                    .crlf();
        } else if (otherwise != null) {
            out.put(name).put(otherwise).crlf();
        }
    }

    private HeadWriter end(RequestHead head, Client client) {
        out.put(FORWARDED_FOR);
        if (head.has(Field.X_FORWARDED_FOR)) {
            earlierClients(head);
        }
        out.put(client.address()).put(PROTO).put(scheme(client)).crlf();
        host(FORWARDED_HOST, head, null);
        if (forwarding.forwarded()) {
            forwarded(client);
        }
        if (forwarding.requestId() && !RequestId.isWellFormed(head)) {
            RequestId.write(random, out);
        }
        return out.put(VIA);
    }

    private void earlierClients(RequestHead head) {
        for (int line = head.next(Field.X_FORWARDED_FOR, 0);
                line < head.count();
                line = head.next(Field.X_FORWARDED_FOR, line + 1)) {
            out.put(head.bytes(), head.valueStart(line), head.valueEnd(line));
            out.put(", ");
        }
    }

    private static byte[] scheme(Client client) {
        return client.secure() ? HTTPS : HTTP;
    }

    private void forwarded(Client client) {
        boolean colons = new String(client.address(), StandardCharsets.US_ASCII).indexOf(':') >= 0;
        out.put("Forwarded: for=")
                .put(colons ? "\"[" : "")
                .put(client.address())
                .put(colons ? "]\"" : "");
        out.put(";proto=").put(scheme(client)).crlf();
    }
}
