// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.cluster.Cluster;
import io.albm.core.cluster.Subscription;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Watches which backends an operator has taken out: a backend is drained while the live configuration has anything in
 * the scope {@code drain/<id>}. Thread-safe.
 */
final class DrainMarks implements AutoCloseable {
    private final Cluster cluster;
    private final Consumer<Set<String>> onChange;
    private final Map<String, Subscription> watched = new HashMap<>();
    private final Set<String> marked = new HashSet<>();

    /** Tells who is drained, whenever that changes. */
    DrainMarks(Cluster cluster, Consumer<Set<String>> onChange) {
        this.cluster = cluster;
        this.onChange = onChange;
    }

    /** Watches the marks of these members from now on. Of others only those that are marked: they may come back, marked or not. */
    synchronized void watch(Set<String> ids) {
        Set<String> gone = new HashSet<>(watched.keySet());
        gone.removeAll(ids);
        gone.removeAll(marked);
        gone.forEach(this::forget);
        ids.stream()
                .filter(id -> !watched.containsKey(id))
                .forEach(id -> watched.put(
                        id, cluster.configuration("drain/" + id).onChange(mark -> changed(id, !mark.isEmpty()))));
    }

    private void forget(String id) {
        Subscription subscription = watched.remove(id);
        if (subscription != null) {
            subscription.close();
        }
    }

    private synchronized void changed(String id, boolean drained) {
        if (drained ? marked.add(id) : marked.remove(id)) {
            onChange.accept(Set.copyOf(marked));
        }
    }

    @Override
    public synchronized void close() {
        watched.values().forEach(Subscription::close);
    }
}
