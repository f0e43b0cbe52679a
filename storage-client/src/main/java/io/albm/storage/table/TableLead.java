// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.cluster.Cluster;
import io.albm.core.cluster.CoordinationStore;
import io.albm.core.cluster.Election;
import io.albm.core.cluster.Leadership;
import io.albm.core.cluster.Operation;
import io.albm.core.cluster.Subscription;
import io.albm.core.cluster.Versioned;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.storage.StorageException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/**
 * The lead of the table in an ensemble for who serves nobody: until it is closed, nobody else writes the table there. Its
 * store waits for an answer of ZooKeeper no longer than a commit does. Blocks.
 */
record TableLead(FencedStore store, long epoch, Election election) implements AutoCloseable {
    private static final NodeId SELF = new NodeId("move-table");

    /** More than the session of a leader lasts that was killed. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private static final int SETS_AT_ONCE = 500;

    /**
     * Takes the lead.
     *
     * @param above that its epoch has to be higher than
     */
    static TableLead take(Cluster ensemble, long above) throws StorageException {
        raiseEpoch(ensemble.store(), above);
        Election election = ensemble.elect(Role.STORAGE_NODE, SELF);
        try {
            Leadership.Leader leader = await(election);
            FencedStore store =
                    new FencedStore(ensemble.store(), leader.fence(Role.STORAGE_NODE), Delay.system(), () -> true);
            return new TableLead(store, leader.epoch(), election);
        } catch (CompletionException late) {
            election.close();
            throw new StorageException.CannotMoveTable("another process leads it; end the storage nodes first");
        }
    }

    private static Leadership.Leader await(Election election) {
        CompletableFuture<Leadership.Leader> elected = new CompletableFuture<>();
        try (Subscription _ = election.leadership().onChange(now -> {
            if (now instanceof Leadership.Leader leader) {
                elected.complete(leader);
            }
        })) {
            return elected.orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS).join();
        }
    }

    /** An epoch is how often its node was set. */
    private static void raiseEpoch(CoordinationStore store, long to) {
        String path = Leadership.epochPath(Role.STORAGE_NODE);
        Operation.Set set = new Operation.Set(path, new byte[0], Operation.ANY);
        if (to > 0 && store.read(path).join().isEmpty()) {
            store.commit(List.of(new Operation.Create(path, new byte[0], false)))
                    .join();
        }
        for (long left = to - epoch(store); left > 0; left = to - epoch(store)) {
            store.commit(Collections.nCopies((int) Math.min(left, SETS_AT_ONCE), set))
                    .join();
        }
    }

    private static long epoch(CoordinationStore store) {
        String path = Leadership.epochPath(Role.STORAGE_NODE);
        return store.read(path).join().map(Versioned::version).orElse(0);
    }

    @Override
    public void close() {
        election.close();
    }
}
