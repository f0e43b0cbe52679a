// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import java.time.Instant;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * What the store knows of a response beside its bytes. Immutable; a validation makes another one.
 *
 * @param reply as it is stored: without what is meant for one hop, without what may not be stored, without its age, and
 *     with a date
 */
record StoredHead(Reply reply, Freshness freshness, CachePolicy policy) {

    /** A 304 changes what is known of a response, never what its bytes are (RFC 9111, section 3.2). */
    private static final Set<String> OF_THE_BYTES =
            Set.of("content-encoding", "content-length", "content-md5", "content-range", "etag");

    /**
     * The head of a response as it came.
     *
     * @param requested when it was asked for
     * @param received when it came
     */
    static StoredHead of(Reply reply, Instant requested, Instant received) {
        CachePolicy policy = CachePolicy.of(reply.fields());
        FieldList kept = dated(HopFields.removed(reply.fields()), received).without(unstored(policy)::contains);
        return new StoredHead(reply.with(kept), Freshness.of(reply, requested, received), policy);
    }

    /** A response to be passed on must have a date (RFC 9110, section 6.6.1). */
    static FieldList dated(FieldList fields, Instant received) {
        return fields.has("Date") ? fields : fields.plus("Date", HttpDate.format(received));
    }

    /** What the head of a part says of the whole that it is of. */
    StoredHead asWhole() {
        return new StoredHead(new Reply(Statuses.OK, reply.reason(), reply.fields()), freshness, policy);
    }

    private static Set<String> unstored(CachePolicy policy) {
        Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        names.addAll(policy.directives().fieldNames("no-cache"));
        names.addAll(policy.directives().fieldNames("private"));
        names.add("Age");
        return names;
    }

    /** This head after a response that speaks of the same content: a 304, or one to HEAD (sections 4.3.4 and 4.3.5). */
    StoredHead updated(FieldList news, Instant requested, Instant received) {
        FieldList told = dated(HopFields.removed(news), received)
                .without(name -> OF_THE_BYTES.contains(name.toLowerCase(Locale.ROOT)));
        FieldList merged = reply.fields().without(told::has).plus(told);
        return of(reply.with(merged), requested, received);
    }
}
