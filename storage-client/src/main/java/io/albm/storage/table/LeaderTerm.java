// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.cluster.CoordinationException;
import io.albm.core.cluster.Leadership;
import io.albm.core.cluster.Subscription;
import io.albm.core.node.Role;
import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import io.albm.storage.TableQuery;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One leadership of the table, from its election to its end, after which nothing of it acts any more. Everything in it belongs
 * to the lane of its site, except {@link #over}.
 *
 * <p>Recovering → serving → over. What comes while it recovers waits.
 */
final class LeaderTerm {
    private static final Logger log = LoggerFactory.getLogger(LeaderTerm.class);

    private final TableSite site;
    private final Leadership.Leader leader;
    private final Consumer<TableStatus> onStatus;
    private final FencedStore store;
    private final TableLog tableLog;
    private final Map<Long, CompletableFuture<TableReply>> open = new HashMap<>();
    private final List<Consumer<ServedTable>> whileRecovering = new ArrayList<>();
    private final List<Runnable> onEnd = new ArrayList<>();
    private @Nullable ServedTable table;
    private @Nullable Subscription clientWatch;
    private long calls;
    private boolean retiring;
    private volatile boolean over;

    LeaderTerm(TableSite site, Leadership.Leader leader, Consumer<TableStatus> onStatus) {
        this.site = site;
        this.leader = leader;
        this.onStatus = onStatus;
        this.store = new FencedStore(site.store(), leader.fence(Role.STORAGE_NODE), site.delay(), () -> over);
        this.tableLog = new TableLog(store, leader.epoch());
    }

    void start() {
        long sent = site.clock().nanoTime();
        then(
                tableLog.announce(site.self())
                        .thenCompose(nothing -> requireHome())
                        .thenCompose(nothing -> recover()),
                recovered -> serve(recovered, sent));
    }

    /** A process that slept while the table was moved must not begin an empty one where it was. */
    private CompletableFuture<Void> requireHome() {
        return store.read(TablePaths.HOME)
                .thenAccept(found -> found.map(TableHome::of)
                        .filter(TableHome::elsewhere)
                        .ifPresent(home -> {
                            throw new IllegalStateException("the file table is in ZooKeeper " + home.zookeeper()
                                    + " now; start this node with table-zookeeper = " + home.zookeeper());
                        }));
    }

    /** No earlier leader writes any more. What it has answered is in the log, or a node holds it. */
    private CompletableFuture<TableRecovery.Recovered> recover() {
        return new TailCollection(site, store, leader.epoch())
                .collect()
                .thenCompose(tails -> new TableRecovery(store, TableBounds.MOST_INODES)
                        .recover()
                        .thenCompose(durable -> new TailRecovery(tableLog, leader.epoch()).complete(durable, tails)));
    }

    private void serve(TableRecovery.Recovered recovered, long sent) {
        log.info(
                "leads the file table from batch {} on, epoch {}: {}",
                recovered.position(),
                leader.epoch(),
                recovered.machine().answer(null, new TableQuery.Usage()).answer());
        ServedTable now = new ServedTable(site, leader.epoch(), tableLog, this::then, onStatus, recovered, sent);
        table = now;
        clientWatch = site.store().watch(TablePaths.CLIENTS, () -> turn(now::sweep));
        now.start();
        whileRecovering.forEach(call -> call.accept(now));
        whileRecovering.clear();
    }

    /** Takes a call, on the lane. */
    void submit(TableCall call, CompletableFuture<TableReply> reply) {
        if (over || retiring) {
            reply.completeExceptionally(stopped("it does not lead any more"));
            return;
        }
        long number = ++calls;
        open.put(number, reply);
        reply.whenComplete((answer, failure) -> open.remove(number));
        ServedTable now = table;
        if (now == null) {
            whileRecovering.add(served -> served.take(call, reply));
        } else {
            guarded(() -> now.take(call, reply));
        }
    }

    /**
     * Ends the term, on the lane, once all that was answered is durable; who comes from now on is told to go to the next
     * leader.
     */
    void retire(Runnable ended) {
        String why = "its process ends";
        if (over) {
            ended.run();
            return;
        }
        onEnd.add(ended);
        retiring = true;
        if (table == null) {
            end(why);
        } else {
            table.whenDurable(() -> end(why));
        }
    }

    /** Ends the term, on the lane: all who wait are told to go to the next leader. */
    void end(String why) {
        if (over) {
            return;
        }
        over = true;
        if (clientWatch != null) {
            clientWatch.close();
        }
        log.info("leads the file table no longer, epoch {}: {}", leader.epoch(), why);
        List.copyOf(open.values()).forEach(reply -> reply.completeExceptionally(stopped(why)));
        onStatus.accept(TableStatus.FOLLOWS);
        onEnd.forEach(Runnable::run);
    }

    private WireException stopped(String why) {
        return new WireException(
                WireCode.UNAVAILABLE, "node " + site.self() + " stopped leading the file table: " + why);
    }

    /** Goes on with the store's answer on the lane; a failure ends the term. */
    private <T> void then(CompletableFuture<T> answer, Consumer<T> onLane) {
        answer.whenComplete((value, failure) -> {
            if (failure == null) {
                turn(() -> onLane.accept(value));
            } else {
                turn(() -> failed(FencedStore.cause(failure)));
            }
        });
    }

    private void turn(Runnable step) {
        site.lane().execute(() -> guarded(step));
    }

    private void guarded(Runnable step) {
        if (over) {
            return;
        }
        try {
            step.run();
        } catch (RuntimeException bug) {
            breakDown(bug);
        }
    }

    private void failed(Throwable failure) {
        if (failure instanceof CoordinationException) {
            end(String.valueOf(failure.getMessage()));
        } else if (table != null) {
            breakDown(failure);
        } else {
            // The next leader may have deleted what this one was about to read: then nothing is broken.
            store.barrier()
                    .whenComplete((nothing, deposed) -> turn(() -> {
                        if (deposed == null) {
                            breakDown(failure);
                        } else {
                            end(String.valueOf(FencedStore.cause(deposed).getMessage()));
                        }
                    }));
        }
    }

    /** Memory and log may disagree, or the log cannot be read: to go on would be to make it worse. */
    private void breakDown(Throwable failure) {
        log.error("the file table stops until another election", failure);
        end("it failed: " + failure);
        onStatus.accept(new TableStatus(false, 0, 0, 0, String.valueOf(failure.getMessage())));
    }
}
