// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import com.github.benmanes.caffeine.cache.RemovalCause;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Caffeine itself, bounded by weight: W-TinyLFU (Einziger, Friedman and Manes, 2017), a small admission window before
 * a segmented LRU, with a sketch of frequencies that decides who stays. It looks at how often a document is asked for,
 * not at its size.
 *
 * <p>Its maintenance runs on the calling thread, so that its bound holds when a call returns. It decides victim by
 * victim, and may evict some before it drops the newcomer. A document of more than 2 GiB is refused, because Caffeine's
 * weights are ints; one without bytes weighs nothing and is never evicted. Where frequencies tie it draws from the
 * thread's random source (its defence against floods of colliding keys), so that two runs may differ in a few victims.
 */
final class CaffeinePolicy<K> implements EvictionPolicy<K> {

    private static final class Kept {
        private final int bytes;

        /** Read by other threads, too, and then maybe late. */
        private long lastRequest;

        private Kept(int bytes, long lastRequest) {
            this.bytes = bytes;
            this.lastRequest = lastRequest;
        }
    }

    private record Asked<K>(K key, long lastRequest) {}

    private final Cache<K, Kept> cache;
    private final Policy.Eviction<K, Kept> bound;
    private long capacityBytes;
    private long residentBytes;
    private int residents;
    private long requests;
    private Consumer<? super K> evicted = victim -> {};

    CaffeinePolicy(PolicyContext<K> context) {
        capacityBytes = context.capacityBytes();
        cache = Caffeine.newBuilder()
                .initialCapacity(context.expectedDocuments())
                .maximumWeight(capacityBytes)
                .weigher((K key, Kept kept) -> kept.bytes)
                .executor(Runnable::run)
                .evictionListener(this::onEviction)
                .build();
        bound = cache.policy().eviction().orElseThrow();
    }

    private void onEviction(@Nullable K key, @Nullable Kept kept, RemovalCause cause) {
        if (key == null || kept == null) {
            throw new AssertionError("Caffeine holds keys and values strongly, but lost one by " + cause);
        }
        residents--;
        residentBytes -= kept.bytes;
        evicted.accept(key);
    }

    @Override
    public void served(K key) {
        Kept kept = cache.getIfPresent(key);
        if (kept == null) {
            throw new IllegalArgumentException(key + " is not resident");
        }
        kept.lastRequest = ++requests;
    }

    @Override
    public boolean admit(K key, long bytes, Consumer<? super K> evicted) {
        if (isResident(key)) {
            throw new IllegalArgumentException(key + " is resident already");
        }
        if (bytes > Math.min(capacityBytes, Integer.MAX_VALUE)) {
            return false;
        }
        reporting(victim -> reportUnless(key, victim, evicted), () -> {
            residents++;
            residentBytes += bytes;
            cache.put(key, new Kept((int) bytes, ++requests));
        });
        return isResident(key);
    }

    private static <K> void reportUnless(K newcomer, K victim, Consumer<? super K> evicted) {
        if (!victim.equals(newcomer)) {
            evicted.accept(victim);
        }
    }

    private void reporting(Consumer<? super K> evicted, Runnable change) {
        this.evicted = evicted;
        change.run();
        cache.cleanUp();
        this.evicted = victim -> {};
    }

    @Override
    public void remove(K key) {
        Kept kept = cache.asMap().remove(key);
        if (kept != null) {
            residents--;
            residentBytes -= kept.bytes;
        }
    }

    @Override
    public void resize(long capacityBytes, Consumer<? super K> evicted) {
        this.capacityBytes = Capacity.check(capacityBytes);
        reporting(evicted, () -> bound.setMaximum(capacityBytes));
    }

    /**
     * Those first that were asked for longest ago. Caffeine knows better, but tells it under its own lock, for which requests
     * would wait.
     */
    @Override
    public Supplier<List<K>> victimsFirst() {
        return () -> {
            List<Asked<K>> asked = new ArrayList<>();
            cache.asMap().forEach((key, kept) -> asked.add(new Asked<>(key, kept.lastRequest)));
            asked.sort(Comparator.comparingLong(Asked::lastRequest));
            return asked.stream().map(Asked::key).toList();
        };
    }

    @Override
    public boolean isResident(K key) {
        return cache.asMap().containsKey(key);
    }

    @Override
    public long capacityBytes() {
        return capacityBytes;
    }

    @Override
    public long residentBytes() {
        return residentBytes;
    }

    @Override
    public int residents() {
        return residents;
    }
}
