// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import io.albm.storage.Inode;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Where clients of a leader get leases on directories and hear of recalls, and where changes wait for the leases of others to
 * end, and questions for what others have changed and not sent. Belongs to the lane.
 *
 * <p>Leases are not in the log: they end with their leader, and the next one gives none, and makes no change that could concern one,
 * for the {@link DirectoryLeases#TERM} in which they may last. It does not know whether its predecessor lost its session or gave
 * it back a moment ago, so it can count on nothing less.
 */
final class LeaseDesk {
    /**
     * How long a client's call waits for a recall: a sixth of the term, so that a lost message ends no lease, and that there is
     * always time to send what a client changes by itself.
     */
    static final Duration PATIENCE = DirectoryLeases.TERM.dividedBy(6);

    private final TableSite site;
    private final Lane lane;
    private final long epoch;
    private final DirectoryLeases leases = new DirectoryLeases();
    private final Map<String, Call> calls = new HashMap<>();
    private final long quietUntil;
    private final long unsentUntil;
    /** Whether the log has yet to say that nothing is taken any more of what was changed under leases of earlier leaders. */
    private boolean passing;

    private List<Waiter> waiters = new ArrayList<>();

    /** A client's call that waits for a recall. */
    private record Call(long position, CompletableFuture<TableReply> reply) {}

    /**
     * What waits for clients.
     *
     * @param directories whose leases a change needs to end
     * @param end until when it may have to wait; empty if it need not any more
     */
    private record Waiter(Set<Long> directories, Supplier<OptionalLong> end, Runnable step) {}

    /**
     * @param quiet whether another leader may have given leases
     * @param unsent whether sole ones may have been among them
     */
    LeaseDesk(TableSite site, Lane lane, long epoch, boolean quiet, boolean unsent) {
        this.site = site;
        this.lane = lane;
        this.epoch = epoch;
        quietUntil = now() + (quiet ? DirectoryLeases.TERM.toNanos() : 0);
        unsentUntil = unsent ? quietUntil : now();
        passing = unsent;
    }

    private long now() {
        return site.clock().nanoTime();
    }

    /** A client was heard. @return whether it has obeyed the recalls that there were */
    boolean hear(TableCall.Lease call) {
        boolean isMine = call.epoch() == epoch;
        boolean wasBehind = leases.isBehind(call.client());
        leases.hear(call.client(), isMine ? call.confirmed() : 0, isMine ? call.returned() : 0, call.settled(), now());
        boolean hasObeyed = wasBehind && !leases.isBehind(call.client());
        goOn();
        return hasObeyed;
    }

    /** Changes that a client has made by itself have come, and are made and answered when there is room for them. */
    void sends(String client, CompletableFuture<TableReply> reply) {
        if (leases.sends(client, now())) {
            lane.then(reply.handle((answer, failure) -> client), sent -> leases.sent(sent, now()));
        }
    }

    /** Answers a client that was heard and wants a lease, which it gets if it can be given. */
    TableReply grant(TableCall.Lease call, long position, TableState state) {
        boolean isWanted =
                waiters.stream().anyMatch(waiter -> waiter.directories().contains(call.directory()));
        // Others may yet have leases of the last leader, and have changed what is not in the listing.
        boolean isQuiet = quietUntil - now() > 0;
        DirectoryLeases.Lease lease = isQuiet || isWanted || !state.isDirectory(call.directory())
                ? DirectoryLeases.Lease.NONE
                : leases.grant(call.client(), call.directory(), now());
        tellRecalls();
        return lease == DirectoryLeases.Lease.NONE
                ? nothing(call.client(), position)
                : reply(
                        position,
                        notice(
                                call.client(),
                                lease,
                                state.listing(call.directory(), site.leaseNames()),
                                state.inode(call.directory())));
    }

    /** Gives a client that has leases one on a directory that it has made: it knows what is in there. */
    @Nullable
    LeaseNotice grantNew(TableCall.Change change, TableOutcome outcome) {
        if (change.command() instanceof TableCommand.Make
                && outcome.answer() instanceof TableAnswer.Known made
                && made.inode().isDirectory()) {
            DirectoryLeases.Lease lease =
                    leases.grant(change.client(), made.inode().number(), now());
            return lease == DirectoryLeases.Lease.NONE ? null : notice(change.client(), lease, Map.of(), made.inode());
        }
        return null;
    }

    private LeaseNotice notice(
            String client, DirectoryLeases.Lease lease, @Nullable Map<String, Long> names, @Nullable Inode directory) {
        DirectoryLeases.Notice notice = leases.notice(client);
        return new LeaseNotice(
                client,
                epoch,
                notice.recalls(),
                notice.recalled(),
                notice.grants(),
                names,
                lease == DirectoryLeases.Lease.SOLE,
                directory);
    }

    private static TableReply reply(long position, LeaseNotice notice) {
        return new TableReply(position, new TableOutcome(new TableAnswer.Done(), null, null), notice);
    }

    /** Tells a client of recalls alone. */
    private TableReply nothing(String client, long position) {
        return reply(position, notice(client, DirectoryLeases.Lease.NONE, null, null));
    }

    /**
     * Answers a client that was heard when there is something to tell, or after a while; at once if it has no leases, or has obeyed
     * recalls: until it is told so, before the next recall, it cannot count on a longer lease, and whoever is asked to send its
     * changes all the time would lose its own.
     */
    void await(TableCall.Lease call, boolean hasObeyed, long position, CompletableFuture<TableReply> reply) {
        Call mine = new Call(position, reply);
        Call before = calls.put(call.client(), mine);
        if (before != null) {
            tell(call.client(), before);
        }
        if (hasObeyed || call.epoch() != epoch || leases.isBehind(call.client()) || !leases.isHolder(call.client())) {
            answer(call.client(), mine);
        } else {
            after(PATIENCE, () -> answer(call.client(), mine));
        }
    }

    private void answer(String client, @Nullable Call call) {
        if (call != null && calls.remove(client, call)) {
            tell(client, call);
        }
    }

    private void tell(String client, Call call) {
        call.reply().complete(nothing(client, call.position()));
    }

    private void after(Duration time, Runnable step) {
        lane.after(time, site.delay(), step);
    }

    /**
     * Recalls what others hold of the directories that a change concerns.
     *
     * @param again makes the change, on the lane, when it need not wait any more; it has to ask here again
     * @return whether it has to wait
     */
    boolean holdsBack(String client, Set<Long> directories, Runnable again) {
        return waits(new Waiter(directories, () -> end(client, directories), again));
    }

    private boolean waits(Waiter waiter) {
        OptionalLong end = waiter.end().get();
        if (end.isEmpty()) {
            return false;
        }
        waiters.add(waiter);
        tellRecalls();
        lookAgain(waiter, end.getAsLong());
        return true;
    }

    /** At the end that is known now: it is later then for those who wait for a client that sends. */
    private void lookAgain(Waiter waiter, long end) {
        after(Duration.ofNanos(Math.max(1, end - now())), () -> {
            goOn();
            if (waiters.contains(waiter)) {
                waiter.end().get().ifPresent(later -> lookAgain(waiter, later));
            }
        });
    }

    /**
     * Lets others send what they have changed of what is asked about.
     *
     * @param answer answers the question, on the lane, when it has not to wait any more
     * @return whether it has to wait
     */
    boolean holdsBack(TableCall.Ask ask, TableState state, Runnable answer) {
        if (unsentUntil - now() > 0) {
            return waits(new Waiter(
                    Set.of(),
                    () -> unsentUntil - now() > 0 ? OptionalLong.of(unsentUntil) : OptionalLong.empty(),
                    answer));
        }
        Set<Long> sole = leases.soleOfOthers(ask.client());
        if (sole.isEmpty()) {
            return false;
        }
        List<DirectoryLeases.Flush> flushes = leases.flush(state.leaseScope(ask.query(), sole), now());
        return waits(new Waiter(Set.of(), () -> leases.unsent(flushes, now()), answer));
    }

    /** A client's session is over. */
    void forget(String client) {
        leases.forget(client);
    }

    /**
     * Whether a client may have changed these directories by itself, and nobody has gone on without that.
     *
     * @param grant the last lease that it knew of then
     */
    boolean isSole(String client, Set<Long> directories, Grant grant, TableState state) {
        return unsentUntil - now() > 0
                ? !state.overrulings().has(client, directories, grant)
                : leases.isSole(client, directories, now());
    }

    /**
     * What the next leader has to know before anybody sees or changes anything that may contradict what clients changed by
     * themselves and send late.
     */
    List<LogEntry> overruled(TableState state) {
        List<LogEntry> entries = new ArrayList<>();
        if (passing && unsentUntil - now() <= 0) {
            passing = false;
            entries.add(new LogEntry.Past(epoch));
        }
        leases.overruled(now()).forEach((lost, directories) -> {
            Grant last = new Grant(epoch, lost.grants());
            // What the log says already is not said again, so that what one client loses takes little room there.
            directories.removeIf(directory -> state.overrulings().has(lost.client(), Set.of(directory), last));
            if (state.isChangedInAdvance(lost.client()) && !directories.isEmpty()) {
                entries.add(new LogEntry.Overruled(lost.client(), Overrulings.bounded(directories), last));
            }
        });
        return entries;
    }

    private OptionalLong end(String client, Set<Long> directories) {
        if (!directories.isEmpty() && quietUntil - now() > 0) {
            return OptionalLong.of(quietUntil);
        }
        return leases.recall(directories, client, now());
    }

    private void tellRecalls() {
        List.copyOf(calls.keySet()).stream()
                .filter(leases::isBehind)
                .forEach(client -> answer(client, calls.get(client)));
    }

    /** Lets the changes go on that need not wait any more. */
    private void goOn() {
        List<Waiter> before = waiters;
        waiters = new ArrayList<>();
        List<Waiter> free = new ArrayList<>();
        before.forEach(waiter -> (waiter.end().get().isEmpty() ? free : waiters).add(waiter));
        tellRecalls();
        free.forEach(waiter -> waiter.step().run());
    }

    /**
     * Refuses a change that its client has given up.
     *
     * @throws WireException {@link WireCode#REFUSED}
     */
    void check(TableCall.Change change) {
        if (leases.isSettled(change.client(), change.number())) {
            throw new WireException(
                    WireCode.REFUSED, "change " + change.number() + " of client " + change.client() + " is settled");
        }
    }
}
