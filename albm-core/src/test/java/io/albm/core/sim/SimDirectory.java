// SPDX-License-Identifier: Apache-2.0
package io.albm.core.sim;

import io.albm.core.cluster.CoordinationException;
import io.albm.core.cluster.CoordinationException.NoSuchNode;
import io.albm.core.cluster.CoordinationException.NodeExists;
import io.albm.core.cluster.CoordinationException.Unavailable;
import io.albm.core.cluster.CoordinationException.VersionConflict;
import io.albm.core.cluster.Operation;
import io.albm.core.cluster.Versioned;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The simulated server behind every {@link SimCoordinationStore}: a tree of versioned nodes, transactions that apply
 * wholly or not at all, sessions with ephemeral nodes, and the faults of a real ensemble.
 *
 * <p>A commit whose connection breaks is reported as {@link CoordinationException.OutcomeUnknown}; it was applied, was
 * not applied, or is applied later still, at random. The last is stronger than ZooKeeper's promise: who survives it
 * needs no assumption about the order of a broken connection's last request.
 */
public final class SimDirectory {
    private final Simulation simulation;
    private final Duration sessionTimeout;
    private final List<SimCoordinationStore> sessions = new ArrayList<>();
    private final Set<String> unreachable = new HashSet<>();
    private final List<Consumer<List<Operation>>> observers = new ArrayList<>();
    private Map<String, Node> tree = new TreeMap<>();
    private double breaks;

    /** @param sessionTimeout how long a process may be crashed or stopped before its ephemeral nodes go */
    public SimDirectory(Simulation simulation, Duration sessionTimeout) {
        this.simulation = simulation;
        this.sessionTimeout = sessionTimeout;
    }

    /** A new session of the process's present incarnation. */
    public SimCoordinationStore connect(SimNode node) {
        SimCoordinationStore session = new SimCoordinationStore(simulation, this, node);
        sessions.add(session);
        node.onChange(() -> expireUnlessBack(session));
        return session;
    }

    /** Breaks the connection under each commit with this probability in [0, 1]. */
    public void breakCommits(double probability) {
        this.breaks = probability;
    }

    /** Cuts a process off. Its session outlives that until {@link #expire}. */
    public void cut(SimNode node) {
        unreachable.add(node.name());
        simulation.note(node.name() + " cut off the directory");
    }

    /** Lets every process through again; watches fire, because changes may have been missed. */
    public void heal() {
        unreachable.clear();
        simulation.note("directory reachable");
        sessions.forEach(SimCoordinationStore::reconnected);
    }

    /** Ends all sessions of a process: its ephemeral nodes go. */
    public void expire(SimNode node) {
        sessions.stream().filter(session -> session.node() == node).toList().forEach(this::expire);
    }

    /** Sees every transaction that was applied, in order. */
    public void observe(Consumer<List<Operation>> observer) {
        observers.add(observer);
    }

    /** What the tree has now; for checks, costs no message. */
    public Optional<Versioned> peek(String path) {
        return Optional.ofNullable(tree.get(path)).map(node -> new Versioned(node.data(), node.version()));
    }

    /** Names of the children now; for checks, costs no message. */
    public List<String> peekChildren(String path) {
        String prefix = path + "/";
        return tree.keySet().stream()
                .filter(child -> child.startsWith(prefix) && child.indexOf('/', prefix.length()) < 0)
                .map(child -> child.substring(prefix.length()))
                .toList();
    }

    /**
     * Applies a transaction now, as the server does.
     *
     * @throws CoordinationException and changes nothing, if any operation cannot be applied
     */
    public void apply(List<Operation> operations) {
        apply(operations, null);
    }

    boolean reaches(SimNode node) {
        return !unreachable.contains(node.name());
    }

    boolean breaksNow() {
        return simulation.chance(breaks);
    }

    void apply(List<Operation> operations, @Nullable SimCoordinationStore owner) {
        Map<String, Node> next = new TreeMap<>(tree);
        Set<String> changed = new LinkedHashSet<>();
        for (Operation operation : operations) {
            switch (operation) {
                case Operation.Create create -> create(next, create, owner, changed);
                case Operation.Set set -> {
                    Node node = find(next, set.path(), set.version());
                    next.put(set.path(), new Node(set.data(), node.version() + 1, node.owner()));
                    changed.add(set.path());
                }
                case Operation.Delete delete -> delete(next, delete, changed);
                case Operation.Check check -> find(next, check.path(), check.version());
            }
        }
        tree = next;
        observers.forEach(observer -> observer.accept(operations));
        sessions.forEach(session -> session.changed(changed));
    }

    private static void create(
            Map<String, Node> next,
            Operation.Create create,
            @Nullable SimCoordinationStore owner,
            Set<String> changed) {
        if (next.containsKey(create.path())) {
            throw new NodeExists(create.path());
        }
        if (create.ephemeral() && owner != null && owner.isEnded()) {
            throw new Unavailable("the session is over that would own " + create.path());
        }
        for (int slash = create.path().indexOf('/', 1);
                slash > 0;
                slash = create.path().indexOf('/', slash + 1)) {
            next.putIfAbsent(create.path().substring(0, slash), new Node(new byte[0], 0, null));
        }
        next.put(create.path(), new Node(create.data(), 0, create.ephemeral() ? owner : null));
        changed.add(create.path());
    }

    private static void delete(Map<String, Node> next, Operation.Delete delete, Set<String> changed) {
        find(next, delete.path(), delete.version());
        String prefix = delete.path() + "/";
        if (next.keySet().stream().anyMatch(path -> path.startsWith(prefix))) {
            throw new NodeExists(delete.path());
        }
        next.remove(delete.path());
        changed.add(delete.path());
    }

    private static Node find(Map<String, Node> nodes, String path, int version) {
        Node node = nodes.get(path);
        if (node == null) {
            throw new NoSuchNode(path);
        }
        if (version != Operation.ANY && version != node.version()) {
            throw new VersionConflict(path);
        }
        return node;
    }

    private void expireUnlessBack(SimCoordinationStore session) {
        SimNode node = session.node();
        if (node.isResponsive()) {
            return;
        }
        long change = node.changes();
        simulation.schedule(sessionTimeout, "session timeout of " + node.name(), () -> {
            if (node.changes() == change || node.incarnation() != session.incarnation()) {
                expire(session);
            }
        });
    }

    private void expire(SimCoordinationStore session) {
        if (sessions.remove(session)) {
            session.ended();
            List<Operation> gone = new ArrayList<>();
            tree.forEach((path, node) -> {
                if (node.owner() == session) {
                    gone.add(new Operation.Delete(path, Operation.ANY));
                }
            });
            apply(gone, null);
        }
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Node(byte[] data, int version, @Nullable SimCoordinationStore owner) {}
}
