// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.core.http.HeadWriter;
import java.util.Set;
import java.util.TreeSet;

/** A request as the origin gets it. Pure. */
final class OutgoingRequest {

    /** What a client asks of its own copy or of a part: not what a cache wants to know of a whole. */
    private static final Set<String> OF_THE_CLIENT = names("If-None-Match", "If-Modified-Since", "If-Range", "Range");

    /** What the connection to the origin decides anew. */
    private static final Set<String> OF_THE_CONNECTION =
            names("Host", "Content-Length", "Expect", "Via", "Surrogate-Capability");

    private static final String VIA = "1.1 albm";
    private static final String CAPABILITY = CachePolicy.SURROGATE + "=\"Surrogate/1.0\"";

    private OutgoingRequest() {}

    private static Set<String> names(String... names) {
        Set<String> all = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        all.addAll(Set.of(names));
        return all;
    }

    /** The fields of a request that is passed on as the client meant it. */
    static FieldList passed(CacheRequest request) {
        FieldList fields = HopFields.removed(request.fields()).without(OF_THE_CONNECTION::contains);
        return fields.plus("Via", joined(request.fields(), "Via", VIA))
                .plus("Surrogate-Capability", joined(request.fields(), "Surrogate-Capability", CAPABILITY));
    }

    /** What the caches before this one said, and this one. */
    private static String joined(Fields fields, String name, String own) {
        String before = String.join(", ", fields.all(name));
        return before.isEmpty() ? own : before + ", " + own;
    }

    /** The fields of a request for a whole response that can be shared. */
    static FieldList whole(CacheRequest request) {
        return passed(request).without(OF_THE_CLIENT::contains);
    }

    /**
     * Whether a response of that status can be meant for a request with these fields: an origin that says 304 or 206 to one
     * that asked neither a condition nor a range has lost count.
     */
    static boolean explains(FieldList fields, int status) {
        return switch (status) {
            case Statuses.NOT_MODIFIED -> fields.has("If-None-Match") || fields.has("If-Modified-Since");
            case Statuses.PARTIAL_CONTENT -> fields.has("Range");
            default -> true;
        };
    }

    /** Writes the head but for the lines that frame a body, and the empty line. */
    static void write(HeadWriter to, Origin origin, CacheRequest request, FieldList fields) {
        to.put(request.method()).put(" ").put(origin.targetOf(request.target())).put(" HTTP/1.1\r\nHost: ");
        to.put(request.authority()).crlf();
        FieldLines.write(to, fields);
    }
}
