// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Policy;
import com.github.benmanes.caffeine.cache.RemovalCause;
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

    private final Cache<K, Long> cache;
    private final Policy.Eviction<K, Long> bound;
    private long capacityBytes;
    private long residentBytes;
    private int residents;
    private Consumer<? super K> evicted = victim -> {};

    CaffeinePolicy(PolicyContext<K> context) {
        capacityBytes = context.capacityBytes();
        cache = Caffeine.newBuilder()
                .initialCapacity(context.expectedDocuments())
                .maximumWeight(capacityBytes)
                .weigher((K key, Long bytes) -> Math.toIntExact(bytes))
                .executor(Runnable::run)
                .evictionListener(this::onEviction)
                .build();
        bound = cache.policy().eviction().orElseThrow();
    }

    private void onEviction(@Nullable K key, @Nullable Long bytes, RemovalCause cause) {
        if (key == null || bytes == null) {
            throw new AssertionError("Caffeine holds keys and values strongly, but lost one by " + cause);
        }
        residents--;
        residentBytes -= bytes;
        evicted.accept(key);
    }

    @Override
    public void served(K key) {
        if (cache.getIfPresent(key) == null) {
            throw new IllegalArgumentException(key + " is not resident");
        }
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
            cache.put(key, bytes);
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
        Long bytes = cache.asMap().remove(key);
        if (bytes != null) {
            residents--;
            residentBytes -= bytes;
        }
    }

    @Override
    public void resize(long capacityBytes, Consumer<? super K> evicted) {
        this.capacityBytes = Capacity.check(capacityBytes);
        reporting(evicted, () -> bound.setMaximum(capacityBytes));
    }

    @Override
    public Supplier<List<K>> victimsFirst() {
        return () -> List.copyOf(bound.coldest(Integer.MAX_VALUE).keySet());
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
