// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

import java.util.function.Consumer;

/**
 * Decides which documents stay in main memory. It knows keys and sizes, never bytes: its owner holds those and
 * follows its decisions.
 *
 * <p>The owner tells it of every request in this order: {@link #arrived} when a counted request entered the
 * {@linkplain SchedulingWindow window}; then, at service, {@link #served} if the document is resident, else
 * {@link #admit} once its bytes were read.
 *
 * <p>Not thread-safe: one thread or one lock owns a policy together with its window.
 *
 * @param <K> names a document; immutable, with value equality
 */
public interface EvictionPolicy<K> {

    /** A request for {@code key} entered the scheduling window. Its document need not be resident. */
    default void arrived(K key) {}

    /**
     * A request was answered from memory.
     *
     * @throws IllegalArgumentException if {@code key} is not resident
     */
    void served(K key);

    /**
     * Offers a document that was just read. Either it becomes resident, after as many others were evicted as its
     * size needs and no more (without the last victim it would not fit), or it is refused and nothing changes;
     * a refused document is served uncached. A document larger than the capacity is always refused.
     *
     * @param bytes size of the document, at least 0
     * @param evicted called for each victim, before this method returns; must not call the policy
     * @return whether the document is resident now
     * @throws IllegalArgumentException if {@code key} is resident already
     */
    boolean admit(K key, long bytes, Consumer<? super K> evicted);

    /** Forgets a resident document that its owner dropped (it changed on disk). No effect if it is not resident. */
    void remove(K key);

    boolean isResident(K key);

    /** Most bytes that the resident documents may have together. */
    long capacityBytes();

    /** Bytes of the resident documents: never more than {@link #capacityBytes()}. */
    long residentBytes();

    int residents();
}
