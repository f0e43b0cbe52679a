// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.documents;

import io.albm.cache.http.ByteRange;
import io.albm.cache.source.DocumentPath;
import io.albm.cache.store.Identity;
import io.albm.core.http.HeadWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Several parts of one document in one body (RFC 9110, 15.3.7.2): {@code multipart/byteranges}. */
final class Multipart {
    private Multipart() {}

    static Plan plan(DocumentPath path, Identity identity, List<ByteRange.Part> parts) {
        String boundary = boundary(identity);
        List<Plan.Segment> segments = new ArrayList<>(parts.size());
        var writer = new HeadWriter();
        for (ByteRange.Part part : parts) {
            DocumentHeads.between(path, identity, boundary, part, writer.clear());
            segments.add(new Plan.Segment(writer.copy().array(), part.first(), part.bytes()));
        }
        byte[] end = ("\r\n--" + boundary + "--\r\n").getBytes(StandardCharsets.US_ASCII);
        long bytes = end.length
                + segments.stream()
                        .mapToLong(segment -> segment.before().length + segment.bytes())
                        .sum();
        return new Plan(206, head -> DocumentHeads.parts(path, identity, boundary, bytes, head), segments, end);
    }

    /** A line that stands nowhere in the document, or its author knows a hash that contains itself. */
    private static String boundary(Identity identity) {
        return identity.etag().replace("\"", "");
    }
}
