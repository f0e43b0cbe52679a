// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.time.MonotonicClock;
import io.albm.storage.FileTable;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import io.albm.storage.TableRefusal;
import io.albm.storage.TableRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file table for a client that works in few directories for a long time, as a mount does: it takes leases on them, and answers
 * questions about names and inodes there itself, see {@link DirectoryCopies}. What it answers is what the leader would answer
 * then. All requests of the client have to go through it.
 *
 * <p>In directories that are the client's alone it makes simple changes itself, if they need not be durable, and sends them soon
 * after; at once if the leader asks for them, if another request follows or a {@link #sync}. If they cannot be made then,
 * every sync from then on fails.
 *
 * <p>While it has leases, one call waits at the leader for recalls. Thread-safe, never blocks.
 */
public final class LeasedFileTable implements FileTable, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(LeasedFileTable.class);
    private static final Duration PAUSE = Duration.ofMillis(100);

    /** A question to the leader for each so many files that are made. */
    private static final int NUMBERS = 1024;

    /** One for so many bytes of files that the table has itself. */
    private static final long ROOM = 2 << 20;

    private final RemoteFileTable table;
    private final Delay delay;
    private final MonotonicClock clock;
    private final InstantSource wallClock;
    private final WriteBehind behind;
    private final DirectoryCopies copies = new DirectoryCopies();
    private final FileTable early = new Early();
    private final AtomicBoolean listening = new AtomicBoolean();
    /** Guarded by {@link #copies}. */
    private CompletableFuture<@Nullable Void> reserving = CompletableFuture.completedFuture(null);

    private volatile boolean closed;

    /** @param table is closed with this */
    LeasedFileTable(RemoteFileTable table, Delay delay, MonotonicClock clock, InstantSource wallClock) {
        this.table = table;
        this.delay = delay;
        this.clock = clock;
        this.wallClock = wallClock;
        this.behind = new WriteBehind(this::sendBehind, delay);
    }

    /**
     * With the time of this machine.
     *
     * @param table is closed with this
     */
    public LeasedFileTable(RemoteFileTable table) {
        this(table, Delay.system(), MonotonicClock.system(), InstantSource.system());
    }

    @Override
    public <A extends TableAnswer> CompletableFuture<A> ask(TableRequest<A> request) {
        return ask(request, false);
    }

    @Override
    public FileTable early() {
        return early;
    }

    @Override
    public CompletableFuture<Void> sync() {
        return behind.flush().thenCompose(nothing -> table.sync());
    }

    @Override
    public CompletableFuture<Void> leave() {
        copies.clear();
        return behind.flush()
                .thenCompose(nothing -> copies.hasToListen(clock.nanoTime())
                        ? say().handle((notice, failure) -> null)
                        : CompletableFuture.completedFuture(null));
    }

    private final class Early implements FileTable {
        @Override
        public <A extends TableAnswer> CompletableFuture<A> ask(TableRequest<A> request) {
            return LeasedFileTable.this.ask(request, true);
        }

        @Override
        public CompletableFuture<Void> sync() {
            return LeasedFileTable.this.sync();
        }

        @Override
        public CompletableFuture<Void> leave() {
            return LeasedFileTable.this.leave();
        }
    }

    private <A extends TableAnswer> CompletableFuture<A> ask(TableRequest<A> request, boolean answeredEarly) {
        TableOutcome known = request instanceof TableQuery<?> query ? copies.answer(query, clock.nanoTime()) : null;
        if (known != null) {
            return answer(known, request);
        }
        if (answeredEarly && request instanceof TableCommand<?> command) {
            return change(command, request);
        }
        if (request instanceof TableQuery.Lookup lookup) {
            return copies.wantsLease(lookup.parent(), clock.nanoTime())
                    ? lease(lookup.parent()).thenCompose(nothing -> lookUpAgain(request, lookup))
                    : lookUp(request, lookup);
        }
        long place = request instanceof TableQuery.Get get ? copies.workPlace(get, clock.nanoTime()) : 0;
        return place == 0
                ? send(request, answeredEarly)
                : lease(place).thenCompose(nothing -> send(request, answeredEarly));
    }

    private <A extends TableAnswer> CompletableFuture<A> lookUpAgain(
            TableRequest<A> request, TableQuery.Lookup lookup) {
        TableOutcome known = copies.answer(lookup, clock.nanoTime());
        return known == null ? lookUp(request, lookup) : answer(known, request);
    }

    private <A extends TableAnswer> CompletableFuture<A> lookUp(TableRequest<A> request, TableQuery.Lookup lookup) {
        TableQuery.LookAhead ahead = copies.lookAhead(lookup, clock.nanoTime());
        return ahead == null
                ? send(request, false)
                : send(ahead, false).thenCompose(found -> answer(DirectoryCopies.found(lookup, found), request));
    }

    private <A extends TableAnswer> CompletableFuture<A> change(TableCommand<?> command, TableRequest<A> request) {
        long directory = copies.lackedDirectory(command, clock.nanoTime());
        return directory == 0
                ? changeReserved(command, request)
                : send(new TableQuery.Get(directory), false)
                        .handle((found, failure) -> null)
                        .thenCompose(nothing -> changeReserved(command, request));
    }

    private <A extends TableAnswer> CompletableFuture<A> changeReserved(
            TableCommand<?> command, TableRequest<A> request) {
        return copies.needsReserved(command, clock.nanoTime())
                ? reserved(command).thenCompose(nothing -> changeHere(command, request))
                : changeHere(command, request);
    }

    /** Asks once for all who lack something: what is set aside takes the place of what was before, used here or not. */
    private CompletableFuture<@Nullable Void> reserved(TableCommand<?> command) {
        synchronized (copies) {
            if (reserving.isDone() && copies.needsReserved(command, clock.nanoTime())) {
                copies.reserving();
                reserving = reserve();
            }
            return reserving;
        }
    }

    private <A extends TableAnswer> CompletableFuture<A> changeHere(TableCommand<?> command, TableRequest<A> request) {
        TableOutcome done =
                behind.isFull() ? null : copies.change(command, wallClock.instant(), clock.nanoTime(), behind::add);
        return done == null ? send(request, true) : answer(done, request);
    }

    /** Asks for numbers of inodes and room for bytes of files; done, and never failed, when they are there or not to be had. */
    private CompletableFuture<@Nullable Void> reserve() {
        String client = copies.client();
        return send(new TableCommand.Reserve(NUMBERS, ROOM), false).handle((reserved, failure) -> {
            if (reserved == null) {
                log.debug("nothing is set aside", failure);
                copies.notReserved(clock.nanoTime());
            } else {
                copies.reserved(client, reserved);
            }
            return null;
        });
    }

    private CompletableFuture<Void> sendBehind(List<WriteBehind.Made> made) {
        return table.writeBehind(made.getFirst().client(), made).whenComplete((nothing, failure) -> {
            if (failure != null) {
                log.error("changes of names that were answered are lost", failure);
                copies.lost(clock.nanoTime());
            }
        });
    }

    private static <A extends TableAnswer> CompletableFuture<A> answer(TableOutcome known, TableRequest<A> request) {
        try {
            return CompletableFuture.completedFuture(known.get(request.answer()));
        } catch (TableRefusal refusal) {
            return CompletableFuture.failedFuture(refusal);
        }
    }

    private <A extends TableAnswer> CompletableFuture<A> send(TableRequest<A> request, boolean answeredEarly) {
        DirectoryCopies.Asked asked = copies.begin(request);
        return behind.flush()
                .thenCompose(nothing -> table.send(request, answeredEarly))
                .whenComplete((reply, failure) -> {
                    if (failure == null) {
                        copies.answered(asked, reply, clock.nanoTime());
                        if (reply.lease() != null) {
                            listen();
                        }
                    } else {
                        copies.failed(asked, clock.nanoTime());
                    }
                })
                .thenApply(reply -> reply.outcome().get(request.answer()));
    }

    /** Asks for a lease; done, and never failed, when it is there or not to be had. */
    private CompletableFuture<@Nullable Void> lease(long directory) {
        DirectoryCopies.Asked asked = copies.begin(new TableQuery.Get(directory));
        return behind.flush().thenCompose(nothing -> call(directory)).handle((notice, failure) -> {
            if (notice == null) {
                log.debug("no lease on inode {}", directory, failure);
                copies.failed(asked, directory, clock.nanoTime());
            } else {
                copies.answered(asked, directory, notice, clock.nanoTime());
                listen();
            }
            return null;
        });
    }

    private CompletableFuture<@Nullable LeaseNotice> call(long directory) {
        return table.lease(window -> copies.call(window.client(), window.settled(), directory))
                .thenApply(reply -> {
                    if (reply.notice() != null) {
                        copies.heard(reply.call(), reply.notice(), reply.sent(), clock.nanoTime());
                    }
                    return reply.notice();
                });
    }

    /**
     * Tells the leader that the client is there, what was heard of, and what is given back. What was changed here before goes
     * first, if there is anything new to tell: leases must not end because changes take their time.
     */
    private CompletableFuture<@Nullable LeaseNotice> say() {
        LeaseNumbers.Obeyed obeyed = copies.obeyed();
        if (copies.isConfirmed(obeyed)) {
            return call(0);
        }
        return behind.flush().thenCompose(nothing -> {
            copies.confirm(obeyed);
            return call(0);
        });
    }

    private void listen() {
        if (listening.compareAndSet(false, true)) {
            listenOn();
        }
    }

    private void listenOn() {
        if (!hasToListen()) {
            listening.set(false);
            // A lease may have come in between.
            if (hasToListen()) {
                listen();
            }
            return;
        }
        say().whenComplete((nothing, failure) -> {
            if (failure == null) {
                listenOn();
            } else {
                log.debug("not heard of recalls", failure);
                delay.after(PAUSE, this::listenOn);
            }
        });
    }

    private boolean hasToListen() {
        return !closed && copies.hasToListen(clock.nanoTime());
    }

    /** Gives back what there is, and ends the client's session. */
    @Override
    public void close() {
        closed = true;
        leave().thenRun(table::close);
    }
}
