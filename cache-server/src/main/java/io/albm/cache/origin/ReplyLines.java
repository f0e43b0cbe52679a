// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.cache.http.ByteRange;
import io.albm.core.http.HeadWriter;
import java.util.Set;
import java.util.TreeSet;

/** The lines of a response as a client gets it. Pure. */
final class ReplyLines {

    /** What a 304 has to repeat of the response that the client holds (RFC 9110, section 15.4.5). */
    private static final Set<String> IN_NOT_MODIFIED = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

    static {
        IN_NOT_MODIFIED.addAll(Set.of(
                "Cache-Control",
                "Content-Location",
                "Date",
                "ETag",
                "Expires",
                "Last-Modified",
                "Set-Cookie",
                "Vary",
                "Via"));
    }

    private static final String VIA = "1.1 albm";

    private ReplyLines() {}

    static void status(HeadWriter to, int status, String reason) {
        to.put("HTTP/1.1 ").put(status).put(" ").put(reason).crlf();
    }

    /** The fields of a response that is kept or passed on, without those that frame its body. */
    static void stored(HeadWriter to, Reply reply) {
        reply.fields().forEach((name, value) -> {
            if (!name.equalsIgnoreCase("Content-Length") && !name.equalsIgnoreCase("Via")) {
                to.put(name).put(": ").put(value).crlf();
            }
        });
        String via = String.join(", ", reply.fields().all("Via"));
        to.put("Via: ").put(via.isEmpty() ? VIA : via + ", " + VIA).crlf();
    }

    /** The fields of a response of which a part is sent; a whole may come with a {@code Content-Range} that means nothing. */
    static void part(HeadWriter to, Reply whole) {
        stored(to, whole.with(whole.fields().without("Content-Range"::equalsIgnoreCase)));
    }

    static void notModified(HeadWriter to, Reply reply) {
        stored(to, reply.with(reply.fields().without(name -> !IN_NOT_MODIFIED.contains(name))));
    }

    static void line(HeadWriter to, String name, String value) {
        to.put(name).put(": ").put(value).crlf();
    }

    /** Which part of how much follows. */
    static void range(HeadWriter to, ByteRange.Part part, long total) {
        line(to, "Content-Range", "bytes " + part.first() + "-" + part.last() + "/" + total);
        length(to, part.bytes());
    }

    static void length(HeadWriter to, long bytes) {
        to.put("Content-Length: ").put(bytes).crlf();
    }
}
