// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.cache.store.ResidentSet;
import java.util.function.Predicate;

/**
 * Responses that are void: those that were here at a moment, of those that were chosen.
 *
 * @param mark the moment, see {@link ResidentSet#mark}
 */
record Purge(Predicate<? super ResponseKey> chosen, long mark) {

    boolean takes(CachedResponse stored) {
        return ResidentSet.wasHere(stored, mark) && chosen.test(stored.key());
    }
}
