// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import io.albm.checkpoint.savings.PageSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How far a host has come with one checkpoint, in bytes that it has read of its ranks' local copies. A try that begins anew
 * counts from where it gets further than those before it: tries that fail again and again are no progress. Thread-safe.
 */
final class DrainProgress {
    private final Map<Integer, Long> furthest = new ConcurrentHashMap<>();

    /** A rank's local copy, for one try to store it. */
    PageSource ofTry(int rank, PageSource copy) {
        AtomicLong bytes = new AtomicLong();
        return (offset, to, length) -> {
            int count = copy.read(offset, to, length);
            furthest.merge(rank, bytes.addAndGet(count), Math::max);
            return count;
        };
    }

    /** Of all ranks. Grows, and no more than twice as far as their states are large: each is read to plan, and to store. */
    long bytes() {
        return furthest.values().stream().mapToLong(Long::longValue).sum();
    }
}
