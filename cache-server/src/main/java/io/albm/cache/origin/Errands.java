// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The requests under way to the origin, whoever waits for them. What makes void the responses of a URI makes void what is
 * on its way for it, because nobody can tell whether the origin wrote it before or after (RFC 9111, section 4.4). Guarded
 * by the cache's lock.
 */
final class Errands {

    /** One request under way. */
    static final class Errand {
        private final String uri;
        private boolean outdated;

        private Errand(String uri) {
            this.uri = uri;
        }

        /** Whether its response may be stored. */
        boolean isCurrent() {
            return !outdated;
        }
    }

    private final Map<String, Set<Errand>> byUri = new HashMap<>();

    Errand begin(String uri) {
        Errand errand = new Errand(uri);
        byUri.computeIfAbsent(uri, any -> new HashSet<>(2)).add(errand);
        return errand;
    }

    void end(Errand errand) {
        byUri.computeIfPresent(errand.uri, (uri, errands) -> {
            errands.remove(errand);
            return errands.isEmpty() ? null : errands;
        });
    }

    void outdate(String uri) {
        byUri.getOrDefault(uri, Set.of()).forEach(errand -> errand.outdated = true);
    }

    void outdate(Predicate<String> uris) {
        byUri.keySet().stream().filter(uris).forEach(this::outdate);
    }
}
