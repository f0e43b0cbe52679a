// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import java.time.Instant;

/** Responses for tests, asked for and received at {@link #NOW}. */
final class Replies {

    static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    private Replies() {}

    static String date(long secondsFromNow) {
        return HttpDate.format(NOW.plusSeconds(secondsFromNow));
    }

    static Reply reply(int status, String... fields) {
        return new Reply(status, "", FieldList.of(fields));
    }

    static StoredHead stored(int status, String... fields) {
        return StoredHead.of(reply(status, fields), NOW, NOW);
    }

    static StoredHead ok(String... fields) {
        return stored(200, fields);
    }

    /** Fields of one line per name from {@code "name: value; name: value"}; empty for none. */
    static FieldList fields(String text) {
        FieldList fields = FieldList.EMPTY;
        for (String line : text.split(";;", -1)) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                fields = fields.plus(
                        line.substring(0, colon).strip(),
                        dated(line.substring(colon + 1).strip()));
            }
        }
        return fields;
    }

    /** {@code @-20} is the date twenty seconds ago. */
    private static String dated(String value) {
        return value.startsWith("@") ? date(Long.parseLong(value.substring(1))) : value;
    }
}
