// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.cluster.Leadership;
import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The file table of the process that is elected to lead it: a machine in memory, behind a log in the coordination store.
 * While it is not elected it refuses everything.
 *
 * <p>Changes are made in memory in the order in which they arrive and answered when their batch of the log is durable; what
 * arrives while a batch is under way is the next one (group commit), so that the table's speed is not bound to the disk's.
 * A client may have them answered early, when {@linkplain LogTail other nodes hold them}: then they survive the leader, and
 * {@link TableCall.Sync} waits until they survive all nodes. Refusals wait like answers do: they may rest on what is not
 * durable yet.
 *
 * <p>Questions are answered at once, from memory, also about changes that are not safe yet. So no change that was answered
 * is ever missing from an answer, whoever made it; but a change that was seen may be undone by a crash, if nobody was told that
 * it was made. Answers that show an inode just made wait until it is held, since its number may become another's; those to
 * {@link io.albm.storage.TableQuery.Unneeded} until all is durable, since blocks are removed upon them. A leader that was
 * replaced without knowing cannot answer from an old memory: it answers from memory, and early, only within the
 * {@link TableSite#lease} that follows a commit of its own, and makes one before if that is over.
 *
 * <p>Thread-safe, never blocks.
 */
public final class TableLeader implements AutoCloseable {
    private static final int MAX_OPEN = 16_384;

    private final TableSite site;
    private final Consumer<TableStatus> listener;
    private final AtomicInteger open = new AtomicInteger();
    private @Nullable LeaderTerm term;
    private Leadership leadership = new Leadership.Follower();
    private volatile TableStatus status = TableStatus.FOLLOWS;

    /** @param listener is told the status when it changes, on the lane */
    public TableLeader(TableSite site, Consumer<TableStatus> listener) {
        this.site = site;
        this.listener = listener;
    }

    /**
     * Takes a call.
     *
     * @return fails with {@link WireException}: {@link WireCode#REFUSED} if this process does not lead, or the client is done
     *     with the change; {@link WireCode#BUSY} beyond 16 384 calls or too many unsettled changes of the client;
     *     {@link WireCode#NOT_FOUND} if the client's session is over; nothing was done then. {@link WireCode#UNAVAILABLE} if
     *     it stopped leading: send it again, to the next leader
     */
    public CompletableFuture<TableReply> submit(TableCall call) {
        if (open.incrementAndGet() > MAX_OPEN) {
            open.decrementAndGet();
            return CompletableFuture.failedFuture(
                    new WireException(WireCode.BUSY, MAX_OPEN + " calls wait for the file table already"));
        }
        CompletableFuture<TableReply> reply = new CompletableFuture<>();
        reply.whenComplete((answer, failure) -> open.decrementAndGet());
        try {
            site.lane().execute(() -> submit(call, reply));
        } catch (RejectedExecutionException closed) {
            reply.completeExceptionally(new WireException(WireCode.UNAVAILABLE, "this process ends"));
        }
        return reply.copy();
    }

    private void submit(TableCall call, CompletableFuture<TableReply> reply) {
        if (term == null) {
            reply.completeExceptionally(
                    new WireException(WireCode.REFUSED, "node " + site.self() + " does not lead the file table"));
        } else {
            term.submit(call, reply);
        }
    }

    /** Stops leading when all that was answered is durable, and takes no calls until then. */
    CompletableFuture<Void> retire() {
        CompletableFuture<Void> ended = new CompletableFuture<>();
        site.lane().execute(() -> {
            if (term == null) {
                ended.complete(null);
            } else {
                term.retire(() -> ended.complete(null));
            }
        });
        return ended;
    }

    /** Begins to lead, or stops. */
    public void lead(Leadership now) {
        site.lane().execute(() -> turn(now));
    }

    private void turn(Leadership now) {
        if (now.equals(leadership)) {
            return;
        }
        leadership = now;
        if (term != null) {
            term.end("its leadership is over");
            term = null;
        }
        tell(TableStatus.FOLLOWS);
        if (now instanceof Leadership.Leader leader) {
            term = new LeaderTerm(site, leader, this::tell);
            term.start();
        }
    }

    private void tell(TableStatus now) {
        status = now;
        listener.accept(now);
    }

    /** As of the last batch. */
    public TableStatus status() {
        return status;
    }

    /** Calls that are not answered yet. */
    public int open() {
        return open.get();
    }

    /** Stops leading; whoever waits fails. */
    @Override
    public void close() {
        lead(new Leadership.Follower());
    }
}
