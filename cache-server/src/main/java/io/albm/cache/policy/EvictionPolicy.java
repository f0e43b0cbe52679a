// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Decides which documents stay in main memory. It knows keys and sizes, never bytes: its owner holds those and
 * follows its decisions.
 *
 * <p>The owner tells it of every request in this order: {@link #arrived} when a counted request entered the
 * {@linkplain SchedulingWindow window} to wait there, or was announced to; then, at service, {@link #served} if the document is resident, else
 * {@link #admit} once its bytes were read. Before either, the requests that are answered leave the window: what stands
 * in it then is the future.
 *
 * <p>Not thread-safe: one thread or one lock owns a policy together with its window.
 *
 * @param <K> names a document; immutable, with value equality
 */
public interface EvictionPolicy<K> {

    /** A request for {@code key} waits in the scheduling window or on its way to it. Its document need not be resident. */
    default void arrived(K key) {}

    /**
     * A request was answered from memory.
     *
     * @throws IllegalArgumentException if {@code key} is not resident
     */
    void served(K key);

    /**
     * Offers a document that was just read. Either it becomes resident, after as many others were evicted as its
     * size needs and no more (without the last victim it would not fit), or it is refused and is served uncached. A
     * document larger than the capacity is always refused, and evicts nothing.
     *
     * <p>A refusal evicts nothing where the policy compares before it evicts. One that decides victim by victim may
     * refuse after some are gone; together they are smaller than the newcomer.
     *
     * @param bytes size of the document, at least 0
     * @param evicted called for each victim, before this method returns, also when it returns false; must not call
     *     the policy
     * @return whether the document is resident now
     * @throws IllegalArgumentException if {@code key} is resident already
     */
    boolean admit(K key, long bytes, Consumer<? super K> evicted);

    /** Forgets a resident document that its owner dropped (it changed on disk). No effect if it is not resident. */
    void remove(K key);

    boolean isResident(K key);

    /**
     * Changes the capacity of a policy that is in use. Growing evicts nothing; shrinking evicts what no longer fits and
     * no more.
     *
     * @param capacityBytes the new capacity, at least 0
     * @param evicted called for each victim, before this method returns; must not call the policy
     */
    void resize(long capacityBytes, Consumer<? super K> evicted);

    /**
     * The resident documents, those first that the policy would rather lose, as far as it has an order. So a policy that
     * takes over and is filled in this order inherits it.
     *
     * @return sorts what was copied during this call, which costs a few nanoseconds a document; it may be called by any
     *     thread, without the policy's lock, and then may miss documents that came and have some that went since
     */
    Supplier<List<K>> victimsFirst();

    /**
     * Takes over a document that another policy kept, in the order of {@link #victimsFirst}. There is room for it.
     *
     * @param requests how many requests it has answered or was read for so far, at least 1
     * @throws IllegalArgumentException if {@code key} is resident already
     */
    default void inherit(K key, long bytes, long requests) {
        boolean admitted = admit(key, bytes, victim -> {
            throw new AssertionError("there was room for " + key + ", but " + victim + " had to go");
        });
        if (!admitted) {
            throw new AssertionError("there was room for " + key + ", but it was refused");
        }
    }

    /** Most bytes that the resident documents may have together. */
    long capacityBytes();

    /** Bytes of the resident documents: never more than {@link #capacityBytes()}. */
    long residentBytes();

    int residents();
}
