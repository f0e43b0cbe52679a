// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import java.util.List;

/**
 * What an origin tells a shared cache to do with a response: the directives of {@code CDN-Cache-Control} if there are
 * any, in place of {@code Cache-Control} and {@code Expires} (RFC 9213), otherwise those of {@code Cache-Control}.
 *
 * @param directives which count
 * @param targeted whether they were meant for caches like this one alone
 */
record CachePolicy(Directives directives, boolean targeted) {

    private static final String TARGETED = "CDN-Cache-Control";

    static CachePolicy of(Fields response) {
        List<String> targeted = response.all(TARGETED);
        return targeted.stream().allMatch(String::isBlank)
                ? new CachePolicy(Directives.of(response.all("Cache-Control")), false)
                : new CachePolicy(Directives.of(targeted), true);
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
