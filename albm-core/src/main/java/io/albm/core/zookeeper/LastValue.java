// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import io.albm.core.cluster.Subscription;
import io.albm.core.cluster.View;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A view that somebody on the dispatcher thread keeps up to date with {@link #set}. */
final class LastValue<T> implements View<T> {
    private final Dispatcher dispatcher;
    private final List<Listener<T>> listeners = new CopyOnWriteArrayList<>();
    private final CompletableFuture<T> loaded = new CompletableFuture<>();
    private volatile T value;

    LastValue(Dispatcher dispatcher, T initial) {
        this.dispatcher = dispatcher;
        this.value = initial;
    }

    @Override
    public T get() {
        return value;
    }

    @Override
    public CompletableFuture<T> loaded() {
        return loaded.copy();
    }

    @Override
    public Subscription onChange(Consumer<? super T> listener) {
        Listener<T> added = new Listener<>(listener, new AtomicBoolean(true));
        dispatcher.execute(() -> {
            listeners.add(added);
            added.tell(value);
        });
        return () -> {
            added.open.set(false);
            dispatcher.execute(() -> listeners.remove(added));
        };
    }

    /** On the dispatcher thread only. */
    void set(T next) {
        boolean changed = !next.equals(value);
        value = next;
        if (!loaded.isDone()) {
            loaded.completeAsync(() -> next, Thread::startVirtualThread);
        }
        if (changed) {
            listeners.forEach(listener -> Dispatcher.runSafely(() -> listener.tell(next)));
        }
    }

    private record Listener<T>(Consumer<? super T> call, AtomicBoolean open) {
        void tell(T value) {
            if (open.get()) {
                call.accept(value);
            }
        }
    }
}
