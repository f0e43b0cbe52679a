// SPDX-License-Identifier: Apache-2.0
package io.albm.cache;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;

/** Asks for what operators name as requests would, so that later ones find it in main memory. A bounded number at once. */
final class Warming implements CacheRoutes.Warmer {

    /** Asks for one. */
    interface Asker {
        /**
         * Asks for what has that name.
         *
         * @param end is told once, on any thread, what came of it, such as {@code found}
         */
        void ask(String name, Consumer<String> end);
    }

    private static final int AT_ONCE = 8;

    private final Asker asker;

    Warming(Asker asker) {
        this.asker = asker;
    }

    @Override
    public Map<String, Integer> warm(List<String> names) throws InterruptedException {
        Map<String, Integer> ends = new ConcurrentHashMap<>();
        Semaphore places = new Semaphore(AT_ONCE);
        for (String name : names) {
            places.acquire();
            asker.ask(name, end -> {
                ends.merge(end, 1, Integer::sum);
                places.release();
            });
        }
        places.acquire(AT_ONCE);
        return ends;
    }
}
