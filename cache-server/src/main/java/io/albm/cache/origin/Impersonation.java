// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Fields by which a request may have an origin answer as if its method, host, port, path or scheme were others. They are
 * part of no cache key by RFC 9111, so whoever sends one could have everybody served what it made of the response. A
 * request whose fields say something else than itself is therefore answered by the origin alone, and for its client
 * alone; the scheme, of which there are two, is part of the URI. Pure.
 */
final class Impersonation {

    static final String HTTP = "http";
    static final String HTTPS = "https";

    /** Those that make another request of any. */
    private static final List<String> ALWAYS = List.of(
            "X-HTTP-Method-Override",
            "X-HTTP-Method",
            "X-Method-Override",
            "X-Original-URL",
            "X-Rewrite-URL",
            "X-Original-Host",
            "X-Host",
            "X-Forwarded-Prefix",
            "X-Forwarded-Scheme",
            "X-Forwarded-Ssl",
            "X-URL-Scheme",
            "Front-End-Https");

    private Impersonation() {}

    /**
     * The scheme that the client used, by what the servers before this one say.
     *
     * @return {@code http} if they say nothing; empty if it is neither that nor {@code https}, or they disagree
     */
    static Optional<String> scheme(Fields request) {
        if (!request.has("X-Forwarded-Proto") && !request.has("Forwarded")) {
            return Optional.of(HTTP);
        }
        Set<String> told = new TreeSet<>(ListSyntax.names(request.all("X-Forwarded-Proto")));
        told.addAll(forwarded(request, "proto"));
        String one = told.isEmpty() ? HTTP : told.iterator().next();
        return told.size() <= 1 && (one.equals(HTTP) || one.equals(HTTPS)) ? Optional.of(one) : Optional.empty();
    }

    /**
     * Whether the request's fields say something else than the request.
     *
     * @param authority host and port that it is for, in lower case
     */
    static boolean isIn(Fields request, String authority) {
        return ALWAYS.stream().anyMatch(request::has)
                || scheme(request).isEmpty()
                || !areAll(authority, ListSyntax.names(request.all("X-Forwarded-Host")))
                || !areAll(authority, forwarded(request, "host"))
                || !areAll(port(request, authority), ListSyntax.names(request.all("X-Forwarded-Port")));
    }

    private static boolean areAll(String expected, Set<String> told) {
        return told.stream().allMatch(expected::equals);
    }

    private static String port(Fields request, String authority) {
        int colon = authority.lastIndexOf(':');
        boolean named = colon > authority.lastIndexOf(']') && colon + 1 < authority.length();
        String usual = scheme(request).filter(HTTPS::equals).isPresent() ? "443" : "80";
        return named ? authority.substring(colon + 1) : usual;
    }

    /** What the elements of {@code Forwarded} say by a parameter (RFC 7239, section 4), in lower case. */
    private static Set<String> forwarded(Fields request, String parameter) {
        Set<String> values = new TreeSet<>();
        for (String element : ListSyntax.members(request.all("Forwarded"))) {
            for (String pair : element.split(";", -1)) {
                int equals = pair.indexOf('=');
                if (equals > 0 && pair.substring(0, equals).strip().equalsIgnoreCase(parameter)) {
                    values.add(
                            pair.substring(equals + 1).strip().replace("\"", "").toLowerCase(Locale.ROOT));
                }
            }
        }
        return values;
    }
}
