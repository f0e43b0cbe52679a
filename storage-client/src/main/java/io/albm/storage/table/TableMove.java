// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.cluster.Cluster;
import io.albm.core.cluster.CoordinationException;
import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Versioned;
import io.albm.core.json.Json;
import io.albm.storage.StorageException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/**
 * Takes the file table from one ensemble to another while nobody uses it.
 *
 * <ol>
 *   <li>It leads the table at both, so that nobody else writes, and copies it.
 *   <li>The old ensemble says that the table has left: whoever would lead it there later, after a long sleep, reads that first.
 *   <li>What is left at the old one is removed.
 *   <li>The cluster's ensemble, if that was not the old one, says where the table is. Until then storage nodes start at neither,
 *       and whoever runs this again finds the old one.
 * </ol>
 *
 * Cut off anywhere, it can be run again. Blocks; for one thread.
 */
public final class TableMove {
    private final Cluster cluster;
    private final boolean isToCluster;
    private final Cluster target;
    private final String targetServers;

    /**
     * @param servers that the cluster is reached at
     * @param targetServers where to move it; one of {@code servers} means the cluster's ensemble
     * @throws IllegalArgumentException if they are not {@code host:port,host:port…}
     */
    public TableMove(Cluster cluster, String servers, String targetServers) {
        this.cluster = cluster;
        this.isToCluster = TableHome.shareServer(servers, targetServers);
        this.target = isToCluster ? cluster : cluster.ensemble(targetServers);
        this.targetServers = isToCluster ? servers : targetServers;
    }

    /**
     * Moves the table.
     *
     * @return whether it was elsewhere, or still had something where it was before
     * @throws StorageException.CannotMoveTable if somebody uses it, or another table is in its way; nothing has changed then
     */
    public boolean run() throws StorageException {
        try {
            return move();
        } catch (CompletionException failure) {
            throw explained(failure);
        }
    }

    private static StorageException explained(CompletionException failure) {
        return switch (FencedStore.cause(failure)) {
            case CoordinationException.Unavailable away -> unavailable(away);
            case CoordinationException.OutcomeUnknown unknown -> unavailable(unknown);
            case CoordinationException refused ->
                new StorageException.CannotMoveTable(String.valueOf(refused.getMessage()));
            default -> throw failure;
        };
    }

    private static StorageException unavailable(CoordinationException failure) {
        return new StorageException.TableUnavailable(failure.getMessage() + "; run this again");
    }

    private boolean move() throws StorageException {
        requireNobody(cluster);
        Versioned node = home(cluster);
        TableHome says = TableHome.of(node);
        if (isToCluster ? !says.elsewhere() : says.isAt(targetServers)) {
            return says.elsewhere() && removeRest(cluster, node);
        }
        if (says.elsewhere()) {
            leave(cluster.ensemble(says.zookeeper()), says.table());
            TableHome now = isToCluster ? TableHome.here(says.table()) : atTarget(says.table());
            cluster.store().commit(List.of(now.set(node.version()))).join();
        } else {
            leave(cluster, says.table());
        }
        return true;
    }

    private TableHome atTarget(String table) {
        return new TableHome(table, targetServers, true);
    }

    /** Has the table at the target, and nowhere else. */
    private void leave(Cluster source, String table) throws StorageException {
        requireNobody(source);
        Versioned node = home(source);
        TableHome says = TableHome.of(node);
        if (!says.elsewhere()) {
            requireNoOther(table);
            leave(source, table, node.version());
        } else if (says.isAt(targetServers)) {
            removeRest(source, node);
        } else {
            throw onItsWay(says);
        }
    }

    private static StorageException onItsWay(TableHome says) {
        return new StorageException.CannotMoveTable(
                "it is on its way to ZooKeeper " + says.zookeeper() + "; move it there first");
    }

    /**
     * Removes what a move to the target has left that was cut off behind its decision.
     *
     * @param home says that the table is at the target
     */
    private boolean removeRest(Cluster source, Versioned home) throws StorageException {
        if (!hasRest(source.store())) {
            Barrier.pass(target.store()).join();
            requireThere();
            return false;
        }
        try (TableLead from = TableLead.take(source, 0);
                TableLead to = TableLead.take(target, 0)) {
            from.store().replace(TablePaths.HOME, home.data(), home.version()).join();
            to.store().barrier().join();
            requireNoOther(TableHome.of(home).table());
            requireThere();
            remove(from);
        }
        return true;
    }

    /** Of a move back, or to a third ensemble, that was cut off the cluster does not know: what looks like a rest may be the table. */
    private void requireThere() throws StorageException {
        TableHome there = TableHome.of(home(target));
        if (!isToCluster && there.elsewhere()) {
            throw onItsWay(there);
        }
    }

    private static boolean hasRest(CoordinationStore store) {
        return store.read(TablePaths.STATE).join().isPresent()
                || !store.children(TablePaths.LOG).join().isEmpty()
                || !store.children(TablePaths.SNAPSHOTS).join().isEmpty();
    }

    private static void remove(TableLead from) {
        new TableLog(from.store(), from.epoch()).remove().join();
    }

    private void leave(Cluster source, String table, int version) throws StorageException {
        try (TableLead from = TableLead.take(source, 0);
                TableLead to = TableLead.take(target, from.epoch())) {
            copy(from.store(), to.store());
            if (!isToCluster) {
                to.store()
                        .put(TablePaths.HOME, Json.bytes(TableHome.here(table)))
                        .join();
            }
            from.store()
                    .replace(TablePaths.HOME, Json.bytes(atTarget(table)), version)
                    .join();
            remove(from);
        }
    }

    /** What is there already of this table, since an earlier time or a move that was cut off, is the same. */
    private static void copy(FencedStore from, FencedStore to) {
        Optional<Versioned> state = from.read(TablePaths.STATE).join();
        SnapshotPointer held =
                state.map(node -> Json.read(node.data(), SnapshotPointer.class)).orElse(SnapshotPointer.NONE);
        for (int chunk = 0; chunk < held.chunks(); chunk++) {
            copy(from, to, TablePaths.chunk(held.name(), chunk));
        }
        from.children(TablePaths.LOG).join().stream()
                .filter(batch -> batch.compareTo(TablePaths.number(held.position())) > 0)
                .forEach(batch -> copy(from, to, TablePaths.LOG + "/" + batch));
        state.ifPresent(node -> to.put(TablePaths.STATE, node.data()).join());
    }

    private static void copy(FencedStore from, FencedStore to, String path) {
        to.create(path, from.read(path).join().orElseThrow().data()).join();
    }

    private static Versioned home(Cluster ensemble) throws StorageException {
        return ensemble.store()
                .read(TablePaths.HOME)
                .join()
                .orElseThrow(() -> new StorageException.CannotMoveTable("no storage node has begun one"));
    }

    private void requireNoOther(String table) throws StorageException {
        CoordinationStore store = target.store();
        Optional<TableHome> there = TableHome.read(store).join();
        boolean isOther = there.isPresent()
                ? !there.get().table().equals(table)
                : store.read(TablePaths.LEADER).join().isPresent();
        if (isOther) {
            throw new StorageException.CannotMoveTable(
                    "ZooKeeper " + targetServers + " has another one under the name " + cluster.name());
        }
    }

    private static void requireNobody(Cluster ensemble) throws StorageException {
        CoordinationStore store = ensemble.store();
        Barrier.pass(store).join();
        requireNone("storage nodes run", store.children(TablePaths.MEMBERS).join());
        requireNone("clients use it", store.children(TablePaths.CLIENTS).join());
    }

    private static void requireNone(String what, List<String> names) throws StorageException {
        if (!names.isEmpty()) {
            throw new StorageException.CannotMoveTable(what + " (" + String.join(", ", names) + "); end them first");
        }
    }
}
