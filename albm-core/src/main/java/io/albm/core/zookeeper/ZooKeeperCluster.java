// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import io.albm.core.cluster.Cluster;
import io.albm.core.cluster.ConnectionState;
import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Election;
import io.albm.core.cluster.Registration;
import io.albm.core.cluster.View;
import io.albm.core.node.CounterReport;
import io.albm.core.node.Member;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as it stands in ZooKeeper under {@code /albm/<name>}: one session, one dispatcher thread, one view for each
 * directory that somebody asked for.
 */
public final class ZooKeeperCluster implements Cluster {
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9-]{0,62}");

    private final String name;
    private final SessionSettings settings;
    private final Dispatcher dispatcher;
    private final Session session;
    private final Directory directory;
    private final Watches watches;
    private final ZooKeeperStore store;
    private final ProcessTable processes = ProcessTable.ofThisMachine();
    private final ProcessToken process = ProcessToken.ofThisProcess(processes);
    private @Nullable View<Map<NodeId, CounterReport>> counters;
    private final Map<Role, View<Map<NodeId, Member>>> members = new ConcurrentHashMap<>();
    private final Map<String, View<Map<String, String>>> configurations = new ConcurrentHashMap<>();
    private final Map<String, MemberRegistration> registrations = new ConcurrentHashMap<>();
    private final Map<NodeId, CounterPublication> publications = new ConcurrentHashMap<>();
    private final Map<String, ZooKeeperCluster> ensembles = new HashMap<>();
    private boolean closed;

    private ZooKeeperCluster(String connectString, String name, SessionSettings settings) {
        this.name = name;
        this.settings = settings;
        this.dispatcher = new Dispatcher("cluster-" + name);
        this.session = new Session(connectString, settings, dispatcher);
        this.directory = new Directory(session, "/albm/" + name);
        this.watches = new Watches(session, directory);
        this.store = new ZooKeeperStore(session, directory, watches, dispatcher);
        session.start();
    }

    /**
     * Returns at once and connects in the background, for as long as it takes.
     *
     * @param connectString {@code host:port,host:port…}, any servers of one ensemble
     * @param clusterName 1 to 63 characters of a-z, 0-9 and '-'
     * @throws IllegalArgumentException if either has another form
     */
    public static ZooKeeperCluster connect(String connectString, String clusterName) {
        return connect(connectString, clusterName, SessionSettings.DEFAULT);
    }

    /** As {@link #connect(String, String)}, with a session of another length. */
    public static ZooKeeperCluster connect(String connectString, String clusterName, SessionSettings settings) {
        for (String server : connectString.split(",", -1)) {
            NodeAddress.parse(server);
        }
        if (!NAME.matcher(clusterName).matches()) {
            throw new IllegalArgumentException(
                    "cluster '" + clusterName + "': expected 1 to 63 characters of a-z, 0-9 and '-'");
        }
        return new ZooKeeperCluster(connectString, clusterName, settings);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Registration join(Member self) {
        return registrations.compute(MemberRegistration.path(self), (path, before) -> {
            if (before != null && !before.isClosed()) {
                throw new IllegalStateException("this process has joined as " + path + " already");
            }
            return new MemberRegistration(session, directory, watches, dispatcher, process, processes, self);
        });
    }

    @Override
    public View<Map<NodeId, Member>> members(Role role) {
        return members.computeIfAbsent(
                role,
                asked -> new DirectoryView<>(
                                directory,
                                dispatcher,
                                "/members/" + asked.id(),
                                (id, content) -> MemberEntry.parse(content).member())
                        .follow(watches));
    }

    @Override
    public void publish(CounterReport report) {
        publications
                .computeIfAbsent(report.node(), node -> new CounterPublication(session, directory, dispatcher, report))
                .publish(report);
    }

    @Override
    public synchronized View<Map<NodeId, CounterReport>> counters() {
        if (counters == null) {
            counters = new DirectoryView<>(directory, dispatcher, "/counters", CounterCodec::read).follow(watches);
        }
        return counters;
    }

    @Override
    public View<Map<String, String>> configuration(String scope) {
        return configurations.computeIfAbsent(scope, asked -> new Settings(store, asked).follow(dispatcher));
    }

    @Override
    public CompletableFuture<Void> configure(String scope, UnaryOperator<Map<String, String>> change) {
        return new Settings(store, scope).change(change);
    }

    @Override
    public Election elect(Role role, NodeId self) {
        return new LatchElection(session, directory, watches, dispatcher, process, processes, role, self);
    }

    @Override
    public CoordinationStore store() {
        return store;
    }

    @Override
    public View<ConnectionState> connection() {
        return session.connection();
    }

    @Override
    public synchronized Cluster ensemble(String servers) {
        if (closed) {
            throw new IllegalStateException("cluster " + name + " is closed");
        }
        return ensembles.computeIfAbsent(servers, others -> connect(others, name, settings));
    }

    @Override
    public void close() {
        closeEnsembles();
        session.close();
        dispatcher.close();
    }

    private synchronized void closeEnsembles() {
        closed = true;
        ensembles.values().forEach(ZooKeeperCluster::close);
    }
}
