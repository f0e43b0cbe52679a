// SPDX-License-Identifier: Apache-2.0
package io.albm.cache;

import io.albm.cache.source.DocumentPath;
import io.albm.cache.source.MalformedPathException;
import io.albm.cache.store.DocumentStore;
import io.albm.cache.store.Outcome;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;

/** Asks a store for documents as requests would, so that later ones find them in main memory. A bounded number at once. */
final class Warming implements CacheRoutes.Warmer {

    private static final int AT_ONCE = 8;

    private final DocumentStore store;

    Warming(DocumentStore store) {
        this.store = store;
    }

    @Override
    public Map<String, Integer> warm(List<String> names) throws InterruptedException {
        Map<String, Integer> ends = new ConcurrentHashMap<>();
        Semaphore places = new Semaphore(AT_ONCE);
        for (String name : names) {
            places.acquire();
            ask(name, end -> {
                ends.merge(end, 1, Integer::sum);
                places.release();
            });
        }
        places.acquire(AT_ONCE);
        return ends;
    }

    private interface End {
        void is(String end);
    }

    private void ask(String name, End end) {
        try {
            store.request(DocumentPath.ofName(name), outcome -> end.is(ended(outcome)));
        } catch (MalformedPathException e) {
            end.is("malformed");
        }
    }

    private static String ended(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Found found -> {
                found.document().release();
                yield "found";
            }
            case Outcome.Large large -> "too large to keep";
            case Outcome.Missing missing -> "missing";
            case Outcome.IsDirectory directory -> "missing";
            case Outcome.Busy busy -> "refused, busy";
            case Outcome.Failed failed -> "failed";
        };
    }
}
