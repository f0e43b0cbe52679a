// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The stored responses of one URL that varies, by what selected them: at most {@value OriginSettings#MOST_VARIANTS}, of
 * which the oldest makes room. Guarded by the cache's lock.
 */
final class Variants {

    private final LinkedHashMap<ResponseKey, Selection> bySelected = new LinkedHashMap<>();

    /** The keys under which a response for that request may be. */
    List<ResponseKey> candidates(CacheRequest request) {
        List<ResponseKey> candidates = new ArrayList<>(1);
        for (Selection selection : selections()) {
            ResponseKey key = ResponseKey.of(request, selection);
            if (selection.equals(bySelected.get(key))) {
                candidates.add(key);
            }
        }
        return candidates;
    }

    private Set<Selection> selections() {
        return bySelected.values().stream().collect(Collectors.toSet());
    }

    /** What selected the response that came last. */
    Selection latest() {
        return bySelected.isEmpty() ? Selection.NONE : bySelected.lastEntry().getValue();
    }

    /** Notes a response; returns the keys of those that have to go. */
    List<ResponseKey> add(ResponseKey key, Selection selection) {
        bySelected.remove(key);
        bySelected.put(key, selection);
        List<ResponseKey> surplus = new ArrayList<>(0);
        while (bySelected.size() > OriginSettings.MOST_VARIANTS) {
            ResponseKey oldest = bySelected.keySet().iterator().next();
            bySelected.remove(oldest);
            surplus.add(oldest);
        }
        return surplus;
    }

    void remove(ResponseKey key) {
        bySelected.remove(key);
    }

    boolean isEmpty() {
        return bySelected.isEmpty();
    }

    List<ResponseKey> all() {
        return List.copyOf(bySelected.keySet());
    }
}
