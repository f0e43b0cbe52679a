// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.cluster.CoordinationException;
import io.albm.core.node.NodeId;
import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks all storage nodes that are alive for their tails, on behalf of a new leader. A node that does not answer is asked again
 * until it is no member any more; so a node that is only slow is waited for, and one that is dead as long as its session
 * lasts. Longer than {@link #PATIENCE} nobody is waited for.
 */
final class TailCollection {
    private static final Logger log = LoggerFactory.getLogger(TailCollection.class);

    private static final Duration ONE_TRY = Duration.ofSeconds(1);
    private static final Duration PAUSE = Duration.ofMillis(100);

    /** More than a session lasts. */
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private final TableSite site;
    private final FencedStore store;
    private final long epoch;
    private final long until;

    TailCollection(TableSite site, FencedStore store, long epoch) {
        this.site = site;
        this.store = store;
        this.epoch = epoch;
        this.until = site.clock().nanoTime() + PATIENCE.toNanos();
    }

    /** To be called behind a write of the leader's own: then it sees all who may hold something. */
    CompletableFuture<List<Tail>> collect() {
        return store.children(TablePaths.MEMBERS).thenCompose(members -> {
            List<CompletableFuture<Tail>> answers = new ArrayList<>();
            answers.add(own());
            members.stream()
                    .map(NodeId::new)
                    .filter(node -> !node.equals(site.self()))
                    .forEach(node -> answers.add(ask(node)));
            return CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
                    .thenApply(nothing ->
                            answers.stream().map(CompletableFuture::join).toList());
        });
    }

    private CompletableFuture<Tail> own() {
        site.tails().own().open(epoch);
        try {
            return CompletableFuture.completedFuture(site.tails().own().collect(epoch));
        } catch (WireException over) {
            return CompletableFuture.failedFuture(deposed(over));
        }
    }

    private CompletableFuture<Tail> ask(NodeId node) {
        return site.tails()
                .link()
                .collect(node, epoch, ONE_TRY)
                .exceptionallyCompose(failure -> again(node, FencedStore.cause(failure)));
    }

    private CompletableFuture<Tail> again(NodeId node, Throwable failure) {
        if (failure instanceof WireException wire && wire.code() == WireCode.REFUSED) {
            return CompletableFuture.failedFuture(deposed(wire));
        }
        if (site.clock().nanoTime() - until >= 0 || hasNone(failure)) {
            log.warn("goes on without what node {} may hold of the file table's log: {}", node, failure.getMessage());
            return CompletableFuture.completedFuture(Tail.NONE);
        }
        CompletableFuture<Void> later = new CompletableFuture<>();
        site.delay().after(PAUSE, () -> later.complete(null));
        return later.thenCompose(nothing -> store.children(TablePaths.MEMBERS))
                .thenCompose(members ->
                        members.contains(node.value()) ? ask(node) : CompletableFuture.completedFuture(Tail.NONE));
    }

    /** Whether the node is of a version that has no tails. */
    private static boolean hasNone(Throwable failure) {
        return failure instanceof WireException wire && wire.code() == WireCode.UNKNOWN_TYPE;
    }

    private static CoordinationException deposed(WireException over) {
        return new CoordinationException.VersionConflict(String.valueOf(over.getMessage()));
    }
}
