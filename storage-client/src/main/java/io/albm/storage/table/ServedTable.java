// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.json.Json;
import io.albm.core.wire.WireException;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableQuery;
import io.albm.storage.TableRefusal;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The table of a leader: in memory, and what is on its way to the log and to the tails of other nodes. At most one batch is
 * under way to the log; what is made meanwhile forms the next one. When that is full, changes wait, so no more than two
 * batches are not durable, but where so many clients have lost leases at once that it takes several to say so. Belongs to the lane.
 */
final class ServedTable {
    private static final Logger log = LoggerFactory.getLogger(ServedTable.class);

    private final TableSite site;
    private final long epoch;
    private final TableLog tableLog;
    private final LogTail tail;
    private final PendingAnswers pending = new PendingAnswers();
    private final Lane lane;
    private final Consumer<TableStatus> onStatus;
    private final TableMachine machine;
    private final TableClients clients;
    private final SnapshotSchedule snapshots;
    private final LeaseDesk leases;
    private final LockWaits lockWaits;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private final Deque<Question> questions = new ArrayDeque<>();
    /** Those before the one that forms. */
    private final Deque<Formed> formed = new ArrayDeque<>();

    private LogBatch forming = new LogBatch();
    private boolean writing;
    private boolean confirming;
    /** Whether a snapshot is being written, or what it made needless deleted. */
    private boolean saving;

    private int pointerVersion;
    /** Of the last batch that was sent, which is durable unless one is under way. */
    private long position;

    private long leaseFrom;
    /** The highest number of an inode that was made, and that of one whose making is durable. */
    private long newest;

    private long newestDurable;

    /** The last entry of the log that says what is not taken any more. */
    private long overruled;

    private record Question(long asked, Runnable answer) {}

    /**
     * A batch that waits for the one before it.
     *
     * @param last the number of its last entry
     * @param newest the highest number of an inode that was made by then
     */
    private record Formed(LogBatch batch, long last, long newest) {}

    /**
     * @param epoch of the leadership
     * @param confirmed when a commit of this leader was sent that was done
     */
    ServedTable(
            TableSite site,
            long epoch,
            TableLog tableLog,
            Lane lane,
            Consumer<TableStatus> onStatus,
            TableRecovery.Recovered recovered,
            long confirmed) {
        this.site = site;
        this.epoch = epoch;
        this.tableLog = tableLog;
        this.lane = lane;
        this.onStatus = onStatus;
        machine = recovered.machine();
        snapshots = new SnapshotSchedule(site.logBytes(), recovered.snapshot(), recovered.logBytes());
        pointerVersion = recovered.version();
        position = recovered.position();
        leaseFrom = confirmed;
        leases = new LeaseDesk(
                site, lane, epoch, machine.entries() > 1, machine.state().isChangedInAdvance());
        lockWaits = new LockWaits(site.delay(), lane, machine.state());
        clients = new TableClients(tableLog, machine.clients(), lane, this::ended);
        tail = new LogTail(site, epoch, machine.entries(), lane, this::release);
    }

    /** Begins to serve. */
    void start() {
        clients.sweep();
        clean();
        tell();
    }

    /** Looks whose session is over. */
    void sweep() {
        clients.sweep();
    }

    void take(TableCall call, CompletableFuture<TableReply> reply) {
        switch (call) {
            case TableCall.Ask ask -> ask(ask, reply);
            case TableCall.WriteBehind behind -> writeBehind(behind, reply);
            case TableCall.Change change -> change(change, reply);
            case TableCall.Lease lease -> lease(lease, reply);
            case TableCall.Sync sync -> answer(sync(sync), false, reply);
        }
    }

    private void ask(TableCall.Ask ask, CompletableFuture<TableReply> reply) {
        Runnable answer = () -> whileLeading(() -> answer(ask, reply));
        if (!leases.holdsBack(ask, machine.state(), answer) && !lockWaits.holdsBack(ask, answer)) {
            answer.run();
        }
    }

    private void writeBehind(TableCall.WriteBehind call, CompletableFuture<TableReply> reply) {
        leases.sends(call.client(), reply);
        clients.admit(
                call.client(),
                new TableClients.Waiter(
                        () -> enqueue(() -> makeAll(call, 0, TableOutcome.of(TableAnswer.Done::new), reply)), reply));
    }

    /**
     * Makes what fits the batch; the rest comes first in the next one.
     *
     * @param from the step to begin with
     * @param before how the steps before it went
     */
    private void makeAll(
            TableCall.WriteBehind call, int from, TableOutcome before, CompletableFuture<TableReply> reply) {
        try {
            if (!clients.isAdmitted(call.client())) {
                throw TableClients.over(call.client());
            }
            TableOutcome first = before;
            int next = from;
            while (next < call.steps().size() && !forming.isFullForCall()) {
                TableCall.WriteBehind.Step step = call.steps().get(next++);
                TableOutcome outcome = makeBehind(call.change(step), step.time(), step.grant());
                first = first.refused() == null && outcome.refused() != null ? outcome : first;
            }
            if (next == call.steps().size()) {
                answer(first, true, reply);
            } else {
                makeLater(call, next, first, reply);
            }
        } catch (WireException refused) {
            reply.completeExceptionally(refused);
        }
    }

    private void makeLater(
            TableCall.WriteBehind call, int from, TableOutcome before, CompletableFuture<TableReply> reply) {
        waiting.addFirst(() -> makeAll(call, from, before, reply));
    }

    private TableOutcome makeBehind(TableCall.Change change, Instant time, Grant grant) {
        TableOutcome before = machine.before(change);
        if (before != null) {
            return before;
        }
        leases.check(change);
        LogEntry entry = entry(change, time);
        byte[] line = Json.bytes(entry);
        if (line.length > LogBatch.MAX_LINE_BYTES
                || !leases.isSole(
                        change.client(), machine.state().leaseScope(change.command()), grant, machine.state())) {
            return TableOutcome.refused(
                    TableRefusal.Reason.LOST,
                    "client " + change.client() + " came too late with what it has changed: its lease was over");
        }
        return apply(entry, line);
    }

    private void lease(TableCall.Lease call, CompletableFuture<TableReply> reply) {
        Runnable hear = () -> whileLeading(() -> hear(call, reply));
        clients.admit(call.client(), new TableClients.Waiter(hear, reply));
    }

    private void hear(TableCall.Lease call, CompletableFuture<TableReply> reply) {
        boolean hasObeyed = leases.hear(call);
        if (call.directory() == 0) {
            leases.await(call, hasObeyed, shown(), reply);
        } else {
            // A client must not know from its copy what a crash may undo.
            TableReply granted = leases.grant(call, shown(), machine.state());
            overrule();
            answer(granted.outcome(), granted.lease(), false, reply);
        }
    }

    /** Runs something when all that is made by now is durable. */
    void whenDurable(Runnable next) {
        CompletableFuture<TableReply> durable = new CompletableFuture<>();
        durable.thenRun(next);
        answer(TableOutcome.of(TableAnswer.Done::new), false, durable);
    }

    private TableOutcome sync(TableCall.Sync sync) {
        return machine.hasMade(sync.client(), sync.numbers())
                ? TableOutcome.of(TableAnswer.Done::new)
                : TableOutcome.refused(
                        TableRefusal.Reason.LOST,
                        "names that client " + sync.client() + " was answered are lost with the nodes that held them");
    }

    private void change(TableCall.Change change, CompletableFuture<TableReply> reply) {
        clients.admit(change.client(), new TableClients.Waiter(() -> enqueue(() -> make(change, reply)), reply));
    }

    private void ended(String client) {
        enqueue(() -> {
            LogEntry.End end = new LogEntry.End(client);
            machine.apply(end);
            leases.forget(client);
            add(Json.bytes(end));
            lockWaits.freed();
        });
    }

    /** Steps that do not fit the next batch wait and change nothing yet: a snapshot has whole batches. */
    private void enqueue(Runnable step) {
        waiting.add(step);
        pump();
    }

    private void pump() {
        while (!waiting.isEmpty() && !forming.isFull()) {
            waiting.remove().run();
        }
        push();
    }

    private void push() {
        tail.send();
        if (!writing && shown() > position) {
            send();
        }
    }

    private void add(byte[] line) {
        forming.add(line);
        tail.add(line);
    }

    private void make(TableCall.Change change, CompletableFuture<TableReply> reply) {
        try {
            if (!clients.isAdmitted(change.client())) {
                throw TableClients.over(change.client());
            }
            TableOutcome before = machine.before(change);
            if (before != null) {
                answer(before, change.early(), reply);
                return;
            }
            leases.check(change);
            Set<Long> scope = machine.state().leaseScope(change.command());
            if (!leases.holdsBack(change.client(), scope, () -> enqueue(() -> make(change, reply)))) {
                makeNew(change, reply);
            }
        } catch (WireException refused) {
            reply.completeExceptionally(refused);
        }
    }

    private void makeNew(TableCall.Change asked, CompletableFuture<TableReply> reply) {
        TableCall.Change change;
        try {
            change = asked.with(site.bounds().admitted(asked.client(), asked.command(), machine.state()));
        } catch (TableRefusal refusal) {
            reply.complete(unlogged(TableOutcome.refused(refusal.reason(), String.valueOf(refusal.getMessage()))));
            return;
        }
        LogEntry entry = entry(change, site.wallClock().instant());
        byte[] line = Json.bytes(entry);
        if (line.length > LogBatch.MAX_LINE_BYTES) {
            reply.complete(unlogged(TableOutcome.refused(
                    TableRefusal.Reason.INVALID,
                    "a change of " + line.length + " bytes; at most " + LogBatch.MAX_LINE_BYTES + " are taken")));
            return;
        }
        TableOutcome outcome = apply(entry, line);
        answer(outcome, leases.grantNew(change, outcome), change.early(), reply);
        lockWaits.made(change.command());
    }

    private static LogEntry entry(TableCall.Change change, Instant time) {
        return new LogEntry.Change(change.client(), change.number(), change.settled(), time, change.command());
    }

    private TableOutcome apply(LogEntry entry, byte[] line) {
        overrule();
        add(line);
        TableOutcome outcome = machine.apply(entry);
        newest = Math.max(newest, SeenInodes.highest(outcome.answer()));
        return outcome;
    }

    /** Has the next leader know what is not taken any more, before anything that rests on that. */
    private void overrule() {
        List<LogEntry> entries = leases.overruled(machine.state());
        for (LogEntry entry : entries) {
            if (forming.isFullForCall()) {
                form();
            }
            machine.apply(entry);
            add(Json.bytes(entry));
            overruled = tail.last();
        }
        if (!entries.isEmpty()) {
            push();
        }
    }

    /** A reply that rests on nothing in the log, so that no client asks whether that is durable. */
    private TableReply unlogged(TableOutcome outcome) {
        return new TableReply(0, durablePosition(), epoch, outcome, null);
    }

    /** Gives an answer that rests on all that is made by now. */
    private void answer(TableOutcome outcome, boolean early, CompletableFuture<TableReply> reply) {
        answer(outcome, null, early, reply);
    }

    private void answer(
            TableOutcome outcome, @Nullable LeaseNotice lease, boolean early, CompletableFuture<TableReply> reply) {
        pending.add(new PendingAnswers.Pending(tail.last(), shown(), outcome, lease, reply), early);
        release();
    }

    /** Without a lease another may lead already, and have read the tails before what they hold now came. */
    private void release() {
        pending.release(
                new PendingAnswers.Progress(isLeased() ? tail.held() : 0, tail.durable(), epoch, durablePosition()));
    }

    private long durablePosition() {
        return writing ? position - 1 : position;
    }

    private boolean isLeased() {
        return site.clock().nanoTime() - leaseFrom < site.lease().toNanos();
    }

    /** The batch up to which memory goes. */
    private long shown() {
        return position + formed.size() + (forming.isEmpty() ? 0 : 1);
    }

    /** What is made from now on belongs to another batch. */
    private void form() {
        formed.add(new Formed(forming, tail.last(), newest));
        forming = new LogBatch();
    }

    private void send() {
        if (formed.isEmpty()) {
            form();
        }
        Formed next = formed.remove();
        writing = true;
        position++;
        byte[] bytes = next.batch().bytes();
        snapshots.appended(bytes.length);
        boolean isAll = shown() == position;
        Runnable afterwards = isAll && !saving && snapshots.isDue(position) ? snapshot() : () -> {};
        long sent = site.clock().nanoTime();
        lane.then(tableLog.append(position, bytes), nothing -> {
            newestDurable = next.newest();
            tail.forget(next.last());
            durable(sent);
            afterwards.run();
        });
    }

    private void durable(long sent) {
        writing = false;
        confirmed(sent);
        tell();
        pump();
    }

    /** Memory is now what the batch makes it: nothing is made that is not sent. @return to be run once that is durable */
    private Runnable snapshot() {
        saving = true;
        List<byte[]> chunks = TableSnapshot.write(machine);
        SnapshotPointer pointer = tableLog.pointer(position, chunks);
        long contained = snapshots.logBytes();
        return () -> lane.then(
                tableLog.save(pointer, chunks, pointerVersion), version -> saved(pointer, version, contained));
    }

    private void saved(SnapshotPointer pointer, int version, long contained) {
        pointerVersion = version;
        snapshots.saved(pointer, contained);
        log.info("the file table up to batch {} lies in {} bytes", pointer.position(), pointer.bytes());
        tell();
        clean();
    }

    /** No snapshot is written meanwhile: it would be taken for an old one. */
    private void clean() {
        saving = true;
        lane.then(tableLog.clean(snapshots.held()), nothing -> saving = false);
    }

    /** Does what only a leader may do: at once, or behind a commit of its own. */
    private void whileLeading(Runnable answer) {
        if (isLeased()) {
            answer.run();
        } else {
            questions.add(new Question(site.clock().nanoTime(), answer));
            confirm();
        }
    }

    private void answer(TableCall.Ask ask, CompletableFuture<TableReply> reply) {
        overrule();
        TableOutcome outcome = bounded(machine.answer(ask.client(), ask.query()));
        boolean lasting = ask.query() instanceof TableQuery.Unneeded;
        if (lasting || SeenInodes.highest(outcome.answer()) > newestDurable || overruled > tail.durable()) {
            answer(outcome, !lasting, reply);
        } else {
            reply.complete(new TableReply(shown(), durablePosition(), epoch, outcome, null));
        }
    }

    /** Who asks how much the table may hold is told what this leader admits. */
    private TableOutcome bounded(TableOutcome outcome) {
        return outcome.answer() instanceof TableAnswer.Used used
                ? TableOutcome.of(() -> new TableAnswer.Used(
                        used.inodes(), Math.min(used.limit(), site.bounds().inodes())))
                : outcome;
    }

    private void confirm() {
        if (!confirming && !writing) {
            confirming = true;
            long sent = site.clock().nanoTime();
            lane.then(tableLog.confirm(), nothing -> {
                confirming = false;
                confirmed(sent);
            });
        }
    }

    /** Who asked before a commit that was done was answered by a leader; the others wait for the next. */
    private void confirmed(long sent) {
        leaseFrom = Math.max(leaseFrom, sent);
        release();
        boolean leased = site.clock().nanoTime() - sent < site.lease().toNanos();
        while (!questions.isEmpty() && (leased || questions.element().asked() - sent <= 0)) {
            questions.remove().answer().run();
        }
        if (!questions.isEmpty()) {
            confirm();
        }
    }

    private void tell() {
        long inodes = machine.answer(null, new TableQuery.Usage())
                .get(TableAnswer.Used.class)
                .inodes();
        onStatus.accept(new TableStatus(true, inodes, position, snapshots.held().bytes(), null));
    }
}
