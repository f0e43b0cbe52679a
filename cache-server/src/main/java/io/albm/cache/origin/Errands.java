// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The requests under way to the origin, whoever waits for them. What makes void the responses of a URI makes void what is
 * on its way for it, because nobody can tell whether the origin wrote it before or after (RFC 9111, section 4.4). Guarded
 * by the cache's lock.
 */
final class Errands {

    /** What was purged by names of variants while a request was under way; one more makes its response void anyhow. */
    private static final int MOST_PURGES = 16;

    /** One request under way. */
    static final class Errand {
        private final String uri;
        private final List<Predicate<? super ResponseKey>> purges = new ArrayList<>(0);
        private boolean outdated;

        private Errand(String uri) {
            this.uri = uri;
        }

        /** Whether its response may be stored under that key, which only the response tells. */
        boolean isCurrent(ResponseKey key) {
            return !outdated && purges.stream().noneMatch(purge -> purge.test(key));
        }

        private void purge(Predicate<? super ResponseKey> chosen) {
            outdated |= purges.size() == MOST_PURGES || chosen.test(new ResponseKey(uri, ""));
            if (!outdated) {
                purges.add(chosen);
            }
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

    /** Makes void what turns out to be one of the chosen, or is a variant of one that is chosen by its URI alone. */
    void purge(Predicate<? super ResponseKey> chosen) {
        byUri.values().forEach(errands -> errands.forEach(errand -> errand.purge(chosen)));
    }
}
