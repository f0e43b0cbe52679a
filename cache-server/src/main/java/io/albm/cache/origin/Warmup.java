// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A GET that no client sent, for a response that later ones should find in main memory: it says nothing but what it wants.
 * Told on any thread what came of it.
 */
final class Warmup implements Flight.Follower {

    private static final Pattern NAME = Pattern.compile(
            "(?:(https?)://)?([A-Za-z0-9._~-]+(?::[0-9]{1,5})?|\\[[0-9A-Fa-f:.]+](?::[0-9]{1,5})?)?(/[\\x21-\\x7e&&[^#]]*)?");

    private final ResponseCache cache;
    private final Consumer<String> end;

    /** @param end is told once what came of it, such as {@code stored} */
    Warmup(ResponseCache cache, Consumer<String> end) {
        this.cache = cache;
        this.end = end;
    }

    /**
     * The request for a name: a URL of http or https, the same without {@code http://}, or a path alone.
     *
     * @param authority what a path alone is for
     * @return empty if it is no such name
     */
    static Optional<CacheRequest> request(String name, String authority) {
        Matcher parts = NAME.matcher(name);
        if (name.isEmpty() || !parts.matches() || (parts.group(1) != null && parts.group(2) == null)) {
            return Optional.empty();
        }
        String host = Optional.ofNullable(parts.group(2)).orElse(authority).toLowerCase(Locale.ROOT);
        String target = Optional.ofNullable(parts.group(3)).orElse("/");
        FieldList fields = Impersonation.HTTPS.equals(parts.group(1))
                ? FieldList.of("X-Forwarded-Proto", Impersonation.HTTPS)
                : FieldList.EMPTY;
        return Optional.of(new CacheRequest("GET", host, target, fields, false));
    }

    /** It was in main memory already, and may be used. */
    void found() {
        end.accept("stored");
    }

    @Override
    public void landed(CachedResponse response) {
        int status = response.head().reply().status();
        boolean kept = cache.keeps(response);
        response.release();
        if (status != Statuses.OK) {
            end.accept("answered " + status);
        } else {
            end.accept(kept ? "stored" : "no room");
        }
    }

    @Override
    public void dispersed() {
        end.accept("not cacheable");
    }

    /** As good as what was found: it answers clients for as long as the origin fails. */
    @Override
    public void stoodInFor(CachedResponse stored) {
        landed(stored);
    }

    @Override
    public void failed(UpstreamFailure failure) {
        end.accept("failed");
    }
}
