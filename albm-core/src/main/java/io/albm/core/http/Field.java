// SPDX-License-Identifier: Apache-2.0
package io.albm.core.http;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/** The header fields that a server or a proxy acts on; every other one passes through unread. */
public enum Field {
    /** A field that nothing is done with. */
    OTHER,
    ACCEPT_ENCODING,
    /** Memory that the request held on its host, in bytes: from a backend to the distributor only. */
    ALBM_COST,
    /** What waits at the distributor behind the request: to a backend only, never from a client. */
    ALBM_WAITING,
    AUTHORIZATION,
    CACHE_CONTROL,
    CONNECTION,
    CONTENT_ENCODING,
    CONTENT_LENGTH,
    CONTENT_RANGE,
    CONTENT_TYPE,
    COOKIE,
    /** What a backend feels (ORCA), for its balancer. */
    ENDPOINT_LOAD_METRICS,
    ETAG,
    EXPECT,
    FORWARDED,
    HOST,
    HTTP2_SETTINGS,
    IF_MATCH,
    IF_MODIFIED_SINCE,
    IF_NONE_MATCH,
    IF_RANGE,
    IF_UNMODIFIED_SINCE,
    KEEP_ALIVE,
    MAX_FORWARDS,
    PROXY_AUTHENTICATE,
    PROXY_AUTHORIZATION,
    PROXY_CONNECTION,
    RANGE,
    REFERER,
    SET_COOKIE,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
    USER_AGENT,
    WWW_AUTHENTICATE,
    X_FORWARDED_FOR,
    X_FORWARDED_HOST,
    X_FORWARDED_PROTO,
    X_REQUEST_ID;

    private static final Field[][] BY_LENGTH = byLength();

    @SuppressWarnings("ImmutableEnumChecker") // written once, here
    private final byte[] lowerCase =
            name().toLowerCase(Locale.ROOT).replace('_', '-').getBytes(StandardCharsets.US_ASCII);

    private static Field[][] byLength() {
        int longest = Arrays.stream(values())
                .mapToInt(field -> field.lowerCase.length)
                .max()
                .orElse(0);
        var byLength = new Field[longest + 1][];
        for (int length = 0; length <= longest; length++) {
            int wanted = length;
            byLength[length] = Arrays.stream(values())
                    .filter(field -> field != OTHER && field.lowerCase.length == wanted)
                    .toArray(Field[]::new);
        }
        return byLength;
    }

    /** The field of that name, whatever its case. */
    public static Field of(byte[] bytes, int from, int end) {
        int length = end - from;
        if (length < BY_LENGTH.length) {
            byte first = Syntax.lower(bytes[from]);
            for (Field field : BY_LENGTH[length]) {
                if (field.lowerCase[0] == first && Syntax.spells(bytes, from, end, field.lowerCase)) {
                    return field;
                }
            }
        }
        return OTHER;
    }

    /** One bit of a set of fields. */
    @SuppressWarnings("EnumOrdinal") // such sets never leave the process
    public long bit() {
        return 1L << ordinal();
    }

    /** A set of fields, for {@link Head#hasAny} and {@link HeadWriter#lines}. */
    public static long set(Field... fields) {
        return Arrays.stream(fields).mapToLong(Field::bit).reduce(0, (one, other) -> one | other);
    }
}
