// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor;

import io.albm.core.cluster.Cluster;
import io.albm.core.cluster.Subscription;
import io.albm.distributor.backend.BackendDirectory;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Watches which backends an operator has taken out: a backend is drained while the live configuration has anything in
 * the scope {@code drain/<id>}. Thread-safe.
 */
final class DrainMarks implements AutoCloseable {
    private final Cluster cluster;
    private final BackendDirectory directory;
    private final Map<String, Subscription> watched = new HashMap<>();
    private final Set<String> marked = new HashSet<>();

    DrainMarks(Cluster cluster, BackendDirectory directory) {
        this.cluster = cluster;
        this.directory = directory;
    }

    /** Watches the marks of these members from now on, and no others. */
    synchronized void watch(Set<String> ids) {
        Set<String> gone = new HashSet<>(watched.keySet());
        gone.removeAll(ids);
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
        marked.remove(id);
    }

    private synchronized void changed(String id, boolean drained) {
        if (drained ? marked.add(id) : marked.remove(id)) {
            directory.drain(marked);
        }
    }

    @Override
    public synchronized void close() {
        watched.values().forEach(Subscription::close);
    }
}
