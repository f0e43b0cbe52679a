// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Fields that are meant for one connection only: neither forwarded nor stored (RFC 9110, section 7.6.1; RFC 9111, section
 * 3.1), or for a cache alone. Pure.
 */
final class HopFields {

    private static final Set<String> ALWAYS = Set.of(
            "albm-waiting",
            "connection",
            "http2-settings",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authentication-info",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    /** Whoever could have these removed by naming them would choose where a body ends, or whom the request reaches. */
    private static final Set<String> NEVER_BY_NAME = Set.of("host", "content-length", "cache-control", "age");

    private HopFields() {}

    /** The fields that go further. */
    static FieldList removed(Fields fields) {
        Set<String> dropped = new TreeSet<>(ListSyntax.names(fields.all("Connection")));
        dropped.removeAll(NEVER_BY_NAME);
        dropped.addAll(ALWAYS);
        return FieldList.copyOf(fields).without(name -> dropped.contains(name.toLowerCase(Locale.ROOT)));
    }
}
