// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import java.util.List;

/**
 * What an origin tells a shared cache to do with a response. What is meant for caches like this one alone counts in place
 * of {@code Cache-Control} and {@code Expires}: {@code CDN-Cache-Control} (RFC 9213), or else {@code Surrogate-Control}
 * (Edge Architecture Specification), of which every directive may name the surrogate that it is for.
 *
 * @param directives which count
 * @param targeted whether they were meant for caches like this one alone
 */
record CachePolicy(Directives directives, boolean targeted) {

    /** The name by which an origin may address this cache. */
    static final String SURROGATE = "albm";

    static CachePolicy of(Fields response) {
        List<String> forUs = ListSyntax.members(response.all("CDN-Cache-Control"));
        if (forUs.isEmpty()) {
            forUs = surrogate(response.all("Surrogate-Control"));
        }
        return forUs.isEmpty()
                ? new CachePolicy(Directives.of(response.all("Cache-Control")), false)
                : new CachePolicy(Directives.of(forUs), true);
    }

    private static List<String> surrogate(List<String> lines) {
        return ListSyntax.members(lines).stream()
                .filter(CachePolicy::isForUs)
                .map(CachePolicy::withoutTarget)
                .toList();
    }

    private static boolean isForUs(String directive) {
        int semicolon = directive.indexOf(';');
        return semicolon < 0 || directive.substring(semicolon + 1).strip().equals(SURROGATE);
    }

    /** {@code max-age=60+30;name} is a lifetime of 60 seconds. The 30 more for which it may be stale are not made use of. */
    private static String withoutTarget(String directive) {
        int semicolon = directive.indexOf(';');
        String bare =
                semicolon < 0 ? directive : directive.substring(0, semicolon).strip();
        return bare.startsWith("max-age=") && bare.indexOf('+') > 0 ? bare.substring(0, bare.indexOf('+')) : bare;
    }

    /** Whether the response may be stored although the request was authorized (RFC 9111, section 3.5). */
    boolean allowsAuthorized() {
        return directives.has("public") || directives.has("must-revalidate") || directives.has("s-maxage");
    }

    /** Whether the response may never be served stale, whoever permits it. */
    boolean forbidsStale() {
        return directives.has("must-revalidate") || directives.has("proxy-revalidate") || directives.has("no-cache");
    }

    /**
     * Whether its lifetime was set for shared caches. They are not to serve it stale at a client's or an operator's
     * wish (RFC 9111, section 5.2.2.10); where the origin itself permits that (RFC 5861), both were its choice.
     */
    boolean isForSharedCaches() {
        return directives.has("s-maxage");
    }

    /** Whether the whole response has to be validated before each use. */
    boolean needsValidation() {
        return directives.isUnqualified("no-cache");
    }
}
