// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import java.util.function.Predicate;

/**
 * Names a stored response.
 *
 * @param uri of the request, with its host
 * @param selected what its {@code Vary} made of the request, see {@link Selection#key}; empty without
 */
public record ResponseKey(String uri, String selected) {

    /** What the URIs of https begin with; those of http begin with their host, and behind it no colon without a port. */
    static final String SECURE = "https://";

    /** Longer names are not remembered: they would take more memory than most responses. */
    static final int MOST_CHARACTERS = 4 << 10;

    /** The key of what a request with such a selection gets. */
    static ResponseKey of(CacheRequest request, Selection selection) {
        return new ResponseKey(request.uri(), selection.key(request.fields()));
    }

    /**
     * Whether operators mean this: by its URI, which stands for all that it varies by, or by the name of the one variant; both
     * with and without {@code https://}.
     */
    boolean isNamedBy(Predicate<? super String> names) {
        String name = toString();
        return names.test(uri)
                || names.test(name)
                || (uri.startsWith(SECURE)
                        && (names.test(uri.substring(SECURE.length())) || names.test(name.substring(SECURE.length()))));
    }

    boolean isTooLong() {
        return characters() > MOST_CHARACTERS;
    }

    int characters() {
        return uri.length() + selected.length();
    }

    /** The URI, and behind it on the same line what selected the response: how operators see and name it. */
    @Override
    public String toString() {
        return selected.isEmpty()
                ? uri
                : uri + " " + selected.replace('\n', ' ').replace("\0", "none");
    }
}
