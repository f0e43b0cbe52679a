// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.cluster.Cluster;
import io.albm.core.cluster.ConnectionState;
import io.albm.core.cluster.CoordinationException;
import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Election;
import io.albm.core.cluster.Operation;
import io.albm.core.cluster.Registration;
import io.albm.core.cluster.Subscription;
import io.albm.core.cluster.Versioned;
import io.albm.core.cluster.View;
import io.albm.core.node.CounterReport;
import io.albm.core.node.Member;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/** A cluster whose stores, in whatever ensemble, take so many commits more and then are away. */
record CutOffCluster(Cluster cluster, AtomicInteger left) implements Cluster {
    @Override
    public CoordinationStore store() {
        CoordinationStore store = cluster.store();
        return new CoordinationStore() {
            @Override
            public CompletableFuture<Optional<Versioned>> read(String path) {
                return store.read(path);
            }

            @Override
            public CompletableFuture<List<String>> children(String path) {
                return store.children(path);
            }

            @Override
            public CompletableFuture<Void> commit(List<Operation> operations) {
                return left.getAndDecrement() > 0
                        ? store.commit(operations)
                        : CompletableFuture.failedFuture(new CoordinationException.Unavailable("cut off"));
            }

            @Override
            public Subscription watch(String path, Runnable onChange) {
                return store.watch(path, onChange);
            }
        };
    }

    @Override
    public Cluster ensemble(String servers) {
        return new CutOffCluster(cluster.ensemble(servers), left);
    }

    @Override
    public String name() {
        return cluster.name();
    }

    @Override
    public Registration join(Member self) {
        return cluster.join(self);
    }

    @Override
    public View<Map<NodeId, Member>> members(Role role) {
        return cluster.members(role);
    }

    @Override
    public void publish(CounterReport report) {
        cluster.publish(report);
    }

    @Override
    public View<Map<NodeId, CounterReport>> counters() {
        return cluster.counters();
    }

    @Override
    public View<Map<String, String>> configuration(String scope) {
        return cluster.configuration(scope);
    }

    @Override
    public CompletableFuture<Void> configure(String scope, UnaryOperator<Map<String, String>> change) {
        return cluster.configure(scope, change);
    }

    @Override
    public Election elect(Role role, NodeId self) {
        return cluster.elect(role, self);
    }

    @Override
    public View<ConnectionState> connection() {
        return cluster.connection();
    }

    @Override
    public void close() {
        cluster.close();
    }
}
