// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.cluster.CoordinationException;
import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Operation;
import io.albm.core.cluster.Versioned;
import io.albm.core.config.ConfigException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * What a storage node does before it stands for the table's election: it makes sure that the table is where it was told. A
 * second, empty table would be worse than none, since what no table needs is removed from the disks.
 *
 * <ol>
 *   <li>The first node of a cluster writes into the cluster's ensemble where the table is; all others compare.
 *   <li>Into an ensemble of the table's own it writes that the table is there, unless there is another one.
 *   <li>In the cluster's it notes that this was done: from then on, an ensemble without the table has lost it.
 * </ol>
 *
 * Each step may be found done, and is tried until ZooKeeper answers.
 */
final class TableClaim {
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final TableEnsemble told;
    private final CoordinationStore cluster;
    private final CoordinationStore home;
    private final Delay delay;
    private final BooleanSupplier over;

    /** @param over turns true when the process ends */
    TableClaim(TableEnsemble told, Delay delay, BooleanSupplier over) {
        this.told = told;
        this.cluster = told.cluster().store();
        this.home = told.home().store();
        this.delay = delay;
        this.over = over;
    }

    /** Fails with {@link ConfigException} if the table is not where the node was told, and if the process ends. */
    CompletableFuture<Void> make() {
        CompletableFuture<Void> made = new CompletableFuture<>();
        attempt(made);
        return made;
    }

    private void attempt(CompletableFuture<Void> made) {
        step().whenComplete((nothing, failure) -> {
            if (failure == null) {
                made.complete(null);
            } else if (FencedStore.cause(failure) instanceof CoordinationException && !over.getAsBoolean()) {
                delay.after(PAUSE, () -> attempt(made));
            } else {
                made.completeExceptionally(FencedStore.cause(failure));
            }
        });
    }

    private CompletableFuture<Void> step() {
        return Barrier.pass(cluster)
                .thenCompose(nothing -> cluster.read(TablePaths.HOME))
                .thenCompose(found -> found.isEmpty() ? decide() : compare(found.get()));
    }

    /** A table of the time before nodes wrote this down is in the cluster's ensemble. */
    private CompletableFuture<Void> decide() {
        return cluster.read(TablePaths.LEADER)
                .thenCompose(
                        led -> cluster.commit(List.of(first(led.isPresent()).create())))
                .thenCompose(nothing -> step());
    }

    private TableHome first(boolean isHereAlready) {
        String table = UUID.randomUUID().toString();
        return isHereAlready || !told.isOwn() ? TableHome.here(table) : new TableHome(table, told.servers(), false);
    }

    private CompletableFuture<Void> compare(Versioned node) {
        TableHome says = TableHome.of(node);
        if (!says.isAt(told.servers())) {
            return refuse(
                    "the file table is in " + (says.elsewhere() ? "ZooKeeper " + says.zookeeper() : "the cluster's")
                            + "; expected that, or that the table is moved first: 'albm storage move-table'");
        }
        return told.isOwn() ? occupy(says, node.version()).thenCompose(nothing -> note(says, node.version())) : done();
    }

    private CompletableFuture<Void> occupy(TableHome says, int version) {
        return Barrier.pass(home)
                .thenCompose(nothing -> TableHome.read(home))
                .thenCompose(found -> found.isEmpty() ? begin(says) : compare(says, version, found.get()));
    }

    private CompletableFuture<Void> compare(TableHome says, int version, TableHome there) {
        if (!there.table().equals(says.table())) {
            return refuseOther();
        }
        if (!there.elsewhere()) {
            return done();
        }
        return there.equals(says) && !says.begun()
                ? takeBack(version)
                : refuse("the file table was moved from there to ZooKeeper " + there.zookeeper()
                        + "; expected that, or 'albm storage move-table' once more if it was cut off");
    }

    /** The ensemble says what was just written into the cluster's: it is the same one. */
    private CompletableFuture<Void> takeBack(int version) {
        return cluster.commit(List.of(new Operation.Delete(TablePaths.HOME, version)))
                .thenCompose(nothing ->
                        refuse("that is the cluster's ZooKeeper by another address; expected another one, or none"));
    }

    private CompletableFuture<Void> begin(TableHome says) {
        if (says.begun()) {
            return refuse(
                    "the file table is not there any more; an empty one in its place would have all blocks removed:"
                            + " bring the data of that ZooKeeper back");
        }
        return home.read(TablePaths.LEADER)
                .thenCompose(led -> led.isPresent()
                        ? refuseOther()
                        : home.commit(List.of(TableHome.here(says.table()).create())));
    }

    private CompletableFuture<Void> refuseOther() {
        return refuse(
                "another file table is there under the name " + told.cluster().name()
                        + "; expected a ZooKeeper without one, or another name for one of the two clusters");
    }

    private CompletableFuture<Void> note(TableHome says, int version) {
        TableHome begun = new TableHome(says.table(), told.servers(), true);
        return begun.equals(says) ? done() : cluster.commit(List.of(begun.set(version)));
    }

    private <T> CompletableFuture<T> refuse(String why) {
        return CompletableFuture.failedFuture(new ConfigException(told.told() + ": " + why));
    }

    private static CompletableFuture<Void> done() {
        return CompletableFuture.completedFuture(null);
    }
}
