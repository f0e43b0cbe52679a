// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.albm.core.cluster.Leadership;
import io.albm.core.cluster.Operation;
import io.albm.core.json.Json;
import io.albm.core.node.NodeAddress;
import io.albm.core.node.NodeId;
import io.albm.core.node.Role;
import io.albm.core.time.MonotonicClock;
import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import io.albm.core.zookeeper.EmbeddedZooKeeper;
import io.albm.core.zookeeper.ZooKeeperCluster;
import io.albm.storage.Inode;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import io.albm.storage.TableRefusal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Leaders that are told who leads by hand, over a real ZooKeeper. */
@Timeout(60)
class TableLeaderTest {
    private static final String CLIENT = "c-1";
    private static final String EPOCH = Leadership.epochPath(Role.STORAGE_NODE);

    private final ExecutorService lane = Executors.newSingleThreadExecutor();
    private final AtomicLong ahead = new AtomicLong();

    @TempDir
    private Path dir;

    private EmbeddedZooKeeper zooKeeper;
    private ZooKeeperCluster cluster;
    private long number;

    @BeforeEach
    void start() throws Exception {
        zooKeeper = EmbeddedZooKeeper.start(dir, new NodeAddress("127.0.0.1", 0));
        cluster = ZooKeeperCluster.connect(zooKeeper.address().toString(), "leader");
        commit(new Operation.Create(EPOCH, new byte[0], false));
        commit(new Operation.Create(TablePaths.client(CLIENT), new byte[0], true));
    }

    @AfterEach
    void stop() {
        cluster.close();
        zooKeeper.close();
        lane.shutdown();
    }

    private void commit(Operation operation) {
        cluster.store().commit(List.of(operation)).join();
    }

    private TableLeader leader(Duration lease) {
        return leader(lease, new Tails(new TableTail(), new LocalTails(), 0));
    }

    private TableLeader leader(Duration lease, Tails tails) {
        return leader(lease, tails, 1000);
    }

    private TableLeader leader(Duration lease, Tails tails, long inodes) {
        return new TableLeader(
                new TableSite(
                        new NodeId("n-1"),
                        cluster.store(),
                        lane,
                        Delay.system(),
                        () -> MonotonicClock.system().nanoTime() + ahead.get(),
                        InstantSource.system(),
                        new TableBounds(inodes, 1 << 20),
                        1 << 20,
                        1000,
                        lease,
                        tails),
                status -> {});
    }

    /** Raises the epoch, as an election does. */
    private Leadership.Leader elected() {
        commit(new Operation.Set(EPOCH, new byte[0], Operation.ANY));
        return new Leadership.Leader(
                cluster.store().read(EPOCH).join().orElseThrow().version());
    }

    private static TableCommand<?> make(String name) {
        return new TableCommand.Make(Inode.ROOT, name, 0100644, 0, 0, 0, null);
    }

    private CompletableFuture<TableReply> make(TableLeader leader, String name) {
        return leader.submit(new TableCall.Change(CLIENT, ++number, 0, make(name), false));
    }

    private static CompletableFuture<TableReply> usage(TableLeader leader) {
        return leader.submit(new TableCall.Ask(null, new TableQuery.Usage()));
    }

    private static void fails(WireCode code, CompletableFuture<?> reply) {
        assertThatExceptionOfType(CompletionException.class)
                .isThrownBy(reply::join)
                .havingCause()
                .isInstanceOfSatisfying(
                        WireException.class,
                        failure -> assertThat(failure.code()).isEqualTo(code));
    }

    @Test
    void aDeposedLeaderCannotChangeAnything() {
        TableLeader deposed = leader(Duration.ofSeconds(1));
        deposed.lead(elected());
        make(deposed, "a").join();
        TableLeader next = leader(Duration.ofSeconds(1));
        next.lead(elected());

        fails(WireCode.UNAVAILABLE, make(deposed, "b"));

        assertThat(usage(next).join().outcome().get(TableAnswer.Used.class).inodes())
                .isEqualTo(2);
        assertThat(cluster.store().children(TablePaths.LOG).join()).hasSize(3);
    }

    /** What was refused for lack of heap is not in the log: a leader with more comes to the table that clients know. */
    @Test
    void aLeaderRefusesWhatItsHeapDoesNotTake() {
        TableLeader small = leader(Duration.ofSeconds(1), new Tails(new TableTail(), new LocalTails(), 0), 2);
        small.lead(elected());
        make(small, "a").join();
        assertThat(make(small, "b").join().outcome().refused()).isEqualTo(TableRefusal.Reason.FULL);
        assertThat(usage(small).join().outcome().get(TableAnswer.Used.class)).isEqualTo(new TableAnswer.Used(2, 2));

        TableLeader large = leader(Duration.ofSeconds(1));
        large.lead(elected());
        assertThat(usage(large).join().outcome().get(TableAnswer.Used.class)).isEqualTo(new TableAnswer.Used(2, 1000));
        assertThat(make(large, "b").join().outcome().refused()).isNull();
    }

    @Test
    void aDeposedLeaderWhoseLeaseIsOverDoesNotAnswer() {
        TableLeader deposed = leader(Duration.ZERO);
        deposed.lead(elected());
        make(deposed, "a").join();
        elected();

        fails(WireCode.UNAVAILABLE, usage(deposed));
    }

    @Test
    void oneThatIsNotElectedRefuses() {
        fails(WireCode.REFUSED, usage(leader(Duration.ofSeconds(1))));
    }

    @Test
    void noLeaseIsGivenWhileThoseOfTheLastLeaderMayLast() {
        TableLeader last = leader(Duration.ofSeconds(1));
        last.lead(elected());
        make(last, "a").join();
        assertThat(lease(last).directory()).isNotNull();

        TableLeader next = leader(Duration.ofSeconds(1));
        next.lead(elected());
        assertThat(lease(next).directory()).isNull();
    }

    private static LeaseNotice lease(TableLeader leader) {
        return Objects.requireNonNull(leader.submit(new TableCall.Lease(CLIENT, 0, 0, 0, 0, Inode.ROOT))
                .join()
                .lease());
    }

    @Test
    void aGapInTheLogStopsTheLeader() {
        TableLeader first = leader(Duration.ofSeconds(1));
        first.lead(elected());
        make(first, "a").join();
        make(first, "b").join();
        make(first, "c").join();
        commit(new Operation.Delete(TablePaths.batch(2), Operation.ANY));

        assertThat(troubleOfTheNext()).contains("gap").contains(TablePaths.LOG);
    }

    @Test
    void anUnreadableEntryStopsTheLeader() {
        TableLeader first = leader(Duration.ofSeconds(1));
        first.lead(elected());
        make(first, "a").join();
        commit(new Operation.Set(
                TablePaths.batch(1), "{\"entry\":\"?\"}\n".getBytes(StandardCharsets.UTF_8), Operation.ANY));

        assertThat(troubleOfTheNext()).contains(TablePaths.batch(1));
    }

    private String troubleOfTheNext() {
        TableLeader next = leader(Duration.ofSeconds(1));
        next.lead(elected());
        TableStatus stopped = await().until(next::status, status -> status.trouble() != null);
        fails(WireCode.UNAVAILABLE, usage(next));
        return String.valueOf(stopped.trouble());
    }

    @Test
    void refusesAChangeThatDoesNotFitTheLog() {
        TableLeader leader = leader(Duration.ofSeconds(1));
        leader.lead(elected());

        TableOutcome outcome = make(leader, "x".repeat(300_000)).join().outcome();

        assertThat(outcome.why()).contains("a change of 300");
        assertThat(make(leader, "a")
                        .join()
                        .outcome()
                        .get(TableAnswer.Known.class)
                        .inode()
                        .number())
                .isEqualTo(2);
    }

    /** As after a stall of the leader in which nobody was heard. The numbers of the directories are as long as they can be. */
    @Test
    void whatManyClientsHaveLostFitsIntoTransactions() {
        TableMachine machine = machineWithInodesFrom(Long.MAX_VALUE / 2);
        List<TableCall.Lease> wanted = new ArrayList<>();
        for (int i = 0; i < 280; i++) {
            String client = "client-%d".formatted(i);
            machine.apply(new LogEntry.Change(client, 1, 0, Instant.EPOCH, new TableCommand.Reserve(1, 0)));
            for (int j = 0; j < Overrulings.MOST_PER_CLIENT; j++) {
                long directory = madeDirectory(machine, client + "-" + j);
                wanted.add(new TableCall.Lease(client, 0, 0, 0, 0, directory));
            }
        }
        commitSnapshot(machine);
        Tails tails = new Tails(new TableTail(), new LocalTails(), 0);
        TableLeader leader = leader(Duration.ofMinutes(5), tails, TableBounds.MOST_INODES);
        leader.lead(elected());
        usage(leader).join();
        ahead.addAndGet(DirectoryLeases.TERM.toNanos());
        wanted.forEach(lease -> leader.submit(lease).join());

        ahead.addAndGet(DirectoryLeases.TERM.toNanos());
        leader.submit(new TableCall.Ask(null, new TableQuery.Files("", null, 1)))
                .join();

        assertThat(make(leader, "a").join().outcome().refused()).isNull();
        TableLeader next = leader(Duration.ofMinutes(5));
        next.lead(elected());
        assertThat(usage(next).join().outcome().get(TableAnswer.Used.class).inodes())
                .isEqualTo(wanted.size() + 2);
    }

    private static TableMachine machineWithInodesFrom(long next) {
        List<MachineLine> lines = new ArrayList<>();
        new TableMachine(TableBounds.MOST_INODES).save(lines::add);
        lines.set(0, MachineLine.of(new SavedLine.Next(next)));
        return TableMachine.load(TableBounds.MOST_INODES, lines.iterator());
    }

    private long madeDirectory(TableMachine machine, String name) {
        number++;
        TableCommand<?> make = new TableCommand.Make(Inode.ROOT, name, 0040755, 0, 0, 0, null);
        return machine.apply(new LogEntry.Change(CLIENT, number, number - 1, Instant.EPOCH, make))
                .get(TableAnswer.Known.class)
                .inode()
                .number();
    }

    /** As a leader before has left it, with the sessions of its clients. */
    private void commitSnapshot(TableMachine machine) {
        machine.clients().stream()
                .filter(client -> !client.equals(CLIENT))
                .forEach(client -> commit(new Operation.Create(TablePaths.client(client), new byte[0], true)));
        List<byte[]> chunks = TableSnapshot.write(machine);
        for (int i = 0; i < chunks.size(); i++) {
            commit(new Operation.Create(TablePaths.chunk("s", i), chunks.get(i), false));
        }
        SnapshotPointer pointer = new SnapshotPointer("s", 0, chunks.size(), 0);
        commit(new Operation.Create(TablePaths.STATE, Json.bytes(pointer), false));
    }

    private LocalTails tailsOf(String... nodes) {
        LocalTails tails = new LocalTails();
        for (String node : nodes) {
            commit(new Operation.Create(TablePaths.MEMBERS + "/" + node, new byte[0], false));
            tails.put(node, new TableTail()).open(0);
        }
        return tails;
    }

    private CompletableFuture<TableReply> makeEarly(TableLeader leader, String name) {
        return leader.submit(new TableCall.Change(CLIENT, ++number, 0, make(name), true));
    }

    private static CompletableFuture<TableReply> sync(TableLeader leader, Long... numbers) {
        return leader.submit(new TableCall.Sync(CLIENT, List.of(numbers)));
    }

    private static List<String> names(TableLeader leader) {
        return leader
                .submit(new TableCall.Ask(null, new TableQuery.Directory(Inode.ROOT, null, 100)))
                .join()
                .outcome()
                .get(TableAnswer.Entries.class)
                .entries()
                .stream()
                .map(TableAnswer.Entry::name)
                .toList();
    }

    @Test
    void anEarlyAnswerNeedsNoZooKeeperAndTheNextLeaderKnowsIt() throws Exception {
        LocalTails others = tailsOf("n-2", "n-3");
        TableLeader first = leader(Duration.ofMinutes(5), new Tails(new TableTail(), others, 1));
        first.lead(elected());
        makeEarly(first, "a").join();
        assertThat(sync(first, 1L).join().outcome().refused()).isNull();

        zooKeeper.close();
        TableReply early = makeEarly(first, "b").join();
        assertThat(early.durable()).isLessThan(early.position());
        CompletableFuture<TableReply> synced = sync(first, 2L);
        CompletableFuture<TableReply> durable = make(first, "c");
        assertThat(synced).isNotDone();
        first.lead(new Leadership.Follower());
        fails(WireCode.UNAVAILABLE, synced);
        fails(WireCode.UNAVAILABLE, durable);
        zooKeeper = EmbeddedZooKeeper.start(dir, zooKeeper.address());

        TableLeader next = leader(Duration.ofMinutes(5), new Tails(new TableTail(), others, 1));
        next.lead(await().ignoreExceptions().until(this::elected, elected -> true));
        assertThat(names(next)).contains("a", "b");
        assertThat(sync(next, 1L, 2L).join().outcome().refused()).isNull();
        assertThat(sync(next, 1L, 2L, 9L).join().outcome().refused()).isEqualTo(TableRefusal.Reason.LOST);
    }

    @Test
    void withoutAHolderAnswersAreDurable() {
        LocalTails others = tailsOf("n-2");
        others.lose("n-2");
        TableLeader leader = leader(Duration.ofMinutes(5), new Tails(new TableTail(), others, 1));
        commit(new Operation.Delete(TablePaths.MEMBERS + "/n-2", Operation.ANY));
        leader.lead(elected());

        TableReply reply = makeEarly(leader, "a").join();

        assertThat(reply.durable()).isEqualTo(reply.position());
    }

    @Test
    void theLongestTailOfTheLastTermGoesOn() {
        TableLeader first = leader(Duration.ofSeconds(1));
        Leadership.Leader election = elected();
        first.lead(election);
        make(first, "durable").join();
        first.lead(new Leadership.Follower());
        LocalTails others = tailsOf("n-2", "n-3", "n-4");
        long term = election.epoch();
        hold(others, "n-2", term, "one");
        hold(others, "n-3", term, "one", "two");
        hold(others, "n-4", term - 1, "old", "old-2", "old-3");

        TableLeader next = leader(Duration.ofSeconds(1), new Tails(new TableTail(), others, 1));
        next.lead(elected());

        assertThat(names(next)).containsExactly("durable", "one", "two");
    }

    /** As the leader of an epoch had it held, behind its term and the first name. */
    private void hold(LocalTails tails, String node, long epoch, String... names) {
        List<byte[]> entries = new ArrayList<>();
        entries.add("durable by now, which the holder need not know".getBytes(StandardCharsets.UTF_8));
        for (String name : names) {
            entries.add(Json.bytes(new LogEntry.Change(CLIENT, 10L + entries.size(), 0, Instant.EPOCH, make(name))));
        }
        tails.append(new NodeId(node), new TailAppend(epoch, 1, 2, entries), Duration.ZERO)
                .join();
    }

    @Test
    void whoRetiresMakesDurableWhatItHasAnswered() {
        LocalTails others = tailsOf("n-2");
        TableLeader leader = leader(Duration.ofMinutes(5), new Tails(new TableTail(), others, 1));
        leader.lead(elected());
        List<CompletableFuture<TableReply>> made = IntStream.range(0, 500)
                .mapToObj(i -> makeEarly(leader, "f-" + i))
                .toList();
        made.forEach(CompletableFuture::join);

        leader.retire().join();

        fails(WireCode.UNAVAILABLE, usage(leader));
        commit(new Operation.Delete(TablePaths.MEMBERS + "/n-2", Operation.ANY));
        TableLeader next = leader(Duration.ofSeconds(1));
        next.lead(elected());
        assertThat(names(next)).hasSize(100);
        assertThat(usage(next).join().outcome().get(TableAnswer.Used.class).inodes())
                .isEqualTo(501);
    }
}
