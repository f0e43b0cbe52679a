// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.documents;

import io.albm.cache.http.ByteRange;
import io.albm.cache.source.Coding;
import io.albm.cache.source.DocumentPath;
import io.albm.cache.store.HeadEncoder;
import io.albm.cache.store.Identity;
import io.albm.core.http.HeadWriter;
import io.netty.handler.codec.DateFormatter;
import java.nio.charset.StandardCharsets;
import java.util.Date;

/** Words the heads of replies about documents, but for the lines that change from reply to reply. */
public final class DocumentHeads implements HeadEncoder {
    private static final byte[] OK = ascii("HTTP/1.1 200 OK\r\n");
    private static final byte[] PARTIAL = ascii("HTTP/1.1 206 Partial Content\r\n");
    private static final byte[] NOT_MODIFIED = ascii("HTTP/1.1 304 Not Modified\r\n");
    private static final byte[] FAILED = ascii("HTTP/1.1 412 Precondition Failed\r\nContent-Length: 0\r\n");
    private static final byte[] UNSATISFIABLE =
            ascii("HTTP/1.1 416 Range Not Satisfiable\r\nContent-Length: 0\r\nContent-Range: bytes */");
    private static final byte[] TYPE = ascii("Content-Type: ");
    private static final byte[] CODING = ascii("Content-Encoding: ");
    private static final byte[] VARY = ascii("Vary: Accept-Encoding\r\n");
    private static final byte[] LENGTH = ascii("Content-Length: ");
    private static final byte[] RANGE = ascii("Content-Range: bytes ");
    private static final byte[] RANGES = ascii("Accept-Ranges: bytes\r\n");
    private static final byte[] ETAG = ascii("ETag: ");
    private static final byte[] MODIFIED = ascii("Last-Modified: ");

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public void encode(DocumentPath path, Identity identity, HeadWriter to) {
        whole(path, identity, to);
    }

    static void whole(DocumentPath path, Identity identity, HeadWriter to) {
        to.put(OK);
        type(path, to);
        coding(path, to);
        length(identity.bytes(), to);
        validators(identity, to);
    }

    static void part(DocumentPath path, Identity identity, ByteRange.Part part, HeadWriter to) {
        to.put(PARTIAL);
        type(path, to);
        coding(path, to);
        length(part.bytes(), to);
        range(part, identity, to);
        validators(identity, to);
    }

    static void parts(DocumentPath path, Identity identity, String boundary, long bytes, HeadWriter to) {
        to.put(PARTIAL)
                .put(TYPE)
                .put("multipart/byteranges; boundary=")
                .put(boundary)
                .crlf();
        coding(path, to);
        length(bytes, to);
        validators(identity, to);
    }

    /** What stands before one part of several. */
    static void between(DocumentPath path, Identity identity, String boundary, ByteRange.Part part, HeadWriter to) {
        to.put("\r\n--").put(boundary).crlf();
        type(path, to);
        range(part, identity, to);
        to.crlf();
    }

    static void notModified(DocumentPath path, Identity identity, HeadWriter to) {
        to.put(NOT_MODIFIED);
        coding(path, to);
        validators(identity, to);
    }

    static void failed(HeadWriter to) {
        to.put(FAILED);
    }

    static void unsatisfiable(Identity identity, HeadWriter to) {
        to.put(UNSATISFIABLE).put(identity.bytes()).crlf();
    }

    private static void type(DocumentPath path, HeadWriter to) {
        to.put(TYPE).put(ContentTypes.of(path.value())).crlf();
    }

    private static void coding(DocumentPath path, HeadWriter to) {
        if (path.coding() != Coding.IDENTITY) {
            to.put(CODING).put(path.coding().token()).crlf();
        }
        if (ContentTypes.isCompressible(path.value())) {
            to.put(VARY);
        }
    }

    private static void length(long bytes, HeadWriter to) {
        to.put(LENGTH).put(bytes).crlf();
    }

    private static void range(ByteRange.Part part, Identity identity, HeadWriter to) {
        to.put(RANGE).put(part.first()).put('-').put(part.last()).put('/');
        to.put(identity.bytes()).crlf();
    }

    private static void validators(Identity identity, HeadWriter to) {
        to.put(ETAG).put(identity.etag()).crlf();
        to.put(MODIFIED)
                .put(DateFormatter.format(Date.from(identity.modified())))
                .crlf();
        to.put(RANGES);
    }
}
