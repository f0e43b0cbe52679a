// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.albm.core.cluster.Operation;
import io.albm.core.node.NodeId;
import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import io.albm.core.zookeeper.ZooKeeperCluster;
import io.albm.storage.FileTable;
import io.albm.storage.Inode;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import io.albm.storage.TableRefusal;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole way of a request: client, frames, leader, log in a real ZooKeeper. */
@Timeout(120)
class RemoteFileTableTest {
    private static final int FILE = 0100644;
    private static final String GENERATION = "0123456789abcdeffedcba9876543210";
    private static final String STEP =
            "{\"number\":1,\"time\":\"1970-01-01T00:00:00Z\"," + "\"command\":{\"do\":\"release\",\"inode\":1}}";

    @TempDir
    private Path dir;

    private static TableCommand.Make make(String name) {
        return new TableCommand.Make(Inode.ROOT, name, FILE, 1, 1, 0, null);
    }

    private static Inode lookup(RemoteFileTable table, String name) {
        return table.ask(new TableQuery.Lookup(Inode.ROOT, name)).join().inode();
    }

    private static List<String> names(int count) {
        return IntStream.range(0, count).mapToObj(i -> "f-" + i).toList();
    }

    private static void makeAll(RemoteFileTable table, List<String> names) {
        CompletableFuture.allOf(
                        names.stream().map(name -> table.ask(make(name))).toArray(CompletableFuture<?>[]::new))
                .join();
    }

    @Test
    void aClientSeesWhatAnotherMade() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1")) {
            Inode made = rig.client().ask(make("a")).join().inode();

            assertThat(lookup(rig.client(), "a").number()).isEqualTo(made.number());
        }
    }

    @Test
    void refusalsSayWhy() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1")) {
            RemoteFileTable table = rig.client();
            table.ask(make("a")).join();

            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> table.ask(make("a")).join())
                    .havingCause()
                    .isInstanceOfSatisfying(
                            TableRefusal.class,
                            refusal -> assertThat(refusal.reason()).isEqualTo(TableRefusal.Reason.EXISTS));
        }
    }

    @Test
    void changesThatComeTogetherAreOneTransaction() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1")) {
            RemoteFileTable table = rig.client();

            makeAll(table, names(1000));

            assertThat(rig.batches()).isLessThan(250);
            assertThat(table.ask(new TableQuery.Usage()).join().inodes()).isEqualTo(1001);
        }
    }

    @Test
    void theNextLeaderKnowsAllThatWasAnswered() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1", "n-2")) {
            RemoteFileTable table = rig.client();
            makeAll(table, names(300));

            rig.kill(await().until(() -> rig.leader().orElse(null), leader -> leader != null));

            names(300).forEach(name -> assertThat(lookup(table, name).links()).isEqualTo(1));
            assertThat(table.ask(make("more")).join().inode().number()).isEqualTo(302);
        }
    }

    @Test
    void theNextLeaderKnowsWhatWasAnsweredEarly() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1", "n-2", "n-3")) {
            RemoteFileTable table = rig.client();
            FileTable early = table.early();
            makeAll(table, names(10));
            NodeId first = await().until(() -> rig.leader().orElse(null), leader -> leader != null);
            List<Inode> made = IntStream.range(0, 500)
                    .mapToObj(i -> early.ask(make("early-" + i)).join().inode())
                    .toList();

            rig.kill(first);

            for (int i = 0; i < 500; i++) {
                assertThat(lookup(table, "early-" + i).number())
                        .isEqualTo(made.get(i).number());
            }
            table.sync().join();
        }
    }

    @Test
    void syncsAmongManyChangesLoseNothing() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1", "n-2")) {
            RemoteFileTable table = rig.client();
            makeAll(table, names(10));

            List<CompletableFuture<Void>> synced = IntStream.range(0, 3000)
                    .mapToObj(i -> table.early().ask(make("early-" + i)).thenCompose(made -> table.sync()))
                    .toList();

            assertThat(CompletableFuture.allOf(synced.toArray(CompletableFuture<?>[]::new)))
                    .succeedsWithin(Duration.ofSeconds(60));
        }
    }

    /** Each answer comes before its batch is durable, and no later one tells that it is. */
    @Test
    void moreChangesThanAreAnsweredBeforeTheyAreDurableGoOn() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1", "n-2")) {
            RemoteFileTable table = rig.client(
                    rig.connect(),
                    link -> (node, call, deadline) -> link.call(node, call, deadline)
                            .thenApply(reply -> new TableReply(
                                    reply.position(), 0, reply.epoch(), reply.outcome(), reply.lease())));

            List<CompletableFuture<TableAnswer.Known>> made = IntStream.range(0, TableMachine.MAX_UNSETTLED + 100)
                    .mapToObj(i -> table.early().ask(make("early-" + i)))
                    .toList();

            assertThat(CompletableFuture.allOf(made.toArray(CompletableFuture<?>[]::new)))
                    .succeedsWithin(Duration.ofSeconds(60));
        }
    }

    @Test
    void aSyncWaitsForAllThatWasAnswered() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1", "n-2")) {
            RemoteFileTable table = rig.client();
            makeAll(table, names(10));
            List<CompletableFuture<TableAnswer.Known>> made = IntStream.range(0, 300)
                    .mapToObj(i -> table.early().ask(make("early-" + i)))
                    .toList();
            made.forEach(CompletableFuture::join);

            table.sync().join();
            rig.nodes().forEach(rig::kill);
            rig.startNode("n-3");

            for (int i = 0; i < 300; i++) {
                assertThat(lookup(table, "early-" + i).number())
                        .isEqualTo(made.get(i).join().inode().number());
            }
        }
    }

    @Test
    void aChangeWhoseAnswerIsLostIsMadeOnce() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1")) {
            AtomicInteger lost = new AtomicInteger();
            RemoteFileTable table = rig.client(
                    rig.connect(),
                    link -> (node, call, deadline) -> link.call(node, call, deadline)
                            .thenCompose(reply -> lost.incrementAndGet() <= 3
                                    ? CompletableFuture.failedFuture(
                                            new WireException(WireCode.UNAVAILABLE, "the connection broke"))
                                    : CompletableFuture.completedFuture(reply)));

            assertThat(table.ask(make("a")).join().inode().links()).isEqualTo(1);

            assertThat(lost).hasValue(4);
            assertThat(table.ask(new TableQuery.Usage()).join().inodes()).isEqualTo(2);
        }
    }

    @Test
    void anAnnouncementEndsWithItsClient() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1")) {
            ZooKeeperCluster session = rig.connect();
            RemoteFileTable writer = rig.client(session, link -> link);
            RemoteFileTable other = rig.client();
            writer.ask(new TableCommand.Begin(GENERATION)).join();
            TableQuery.Unneeded unneeded = new TableQuery.Unneeded(new NodeId("n-1"), List.of(GENERATION));
            assertThat(other.ask(unneeded).join().generations()).isEmpty();

            session.close();

            await().until(() -> other.ask(unneeded).join().generations(), List.of(GENERATION)::equals);
        }
    }

    @Test
    void aClientWhoseSessionWasLostGoesOnWithAnother() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1")) {
            RemoteFileTable table = rig.client();
            table.ask(new TableCommand.Begin(GENERATION)).join();

            rig.observer()
                    .store()
                    .children(TablePaths.CLIENTS)
                    .join()
                    .forEach(client -> rig.observer()
                            .store()
                            .commit(List.of(new Operation.Delete(TablePaths.client(client), Operation.ANY)))
                            .join());

            await().until(
                            () -> table.ask(new TableQuery.Unneeded(new NodeId("n-1"), List.of(GENERATION)))
                                    .join()
                                    .generations(),
                            List.of(GENERATION)::equals);
            assertThat(table.ask(make("a")).join().inode().links()).isEqualTo(1);
            assertThat(table.ask(new TableCommand.Cancel(GENERATION)).join().announced())
                    .isFalse();
        }
    }

    @Test
    void aLongLogBecomesASnapshot() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1", "n-2")) {
            RemoteFileTable table = rig.client();
            Inode made = table.ask(make("a")).join().inode();
            for (int i = 0; i < 100; i++) {
                byte[] value = new byte[60_000];
                value[0] = (byte) i;
                table.ask(new TableCommand.SetAttribute(made.number(), "user.big", value, false, false))
                        .join();
            }
            NodeId first = await().until(() -> rig.leader().orElse(null), leader -> leader != null);
            await().until(() -> rig.status(first).snapshotBytes() > 0);
            await().until(rig::batches, batches -> batches < 60);

            rig.kill(first);

            TableAnswer.Value value = table.ask(new TableQuery.GetAttribute(made.number(), "user.big"))
                    .join();
            assertThat(value.value()[0]).isEqualTo((byte) 99);
            assertThat(table.ask(make("b")).join().inode().number()).isEqualTo(3);
        }
    }

    @Test
    void changesWaitWhileZooKeeperIsAway() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1")) {
            RemoteFileTable table = rig.client();
            table.ask(make("before")).join();

            rig.stopZooKeeper();
            var meanwhile = table.ask(make("meanwhile"));
            rig.restartZooKeeper();

            long number = meanwhile.join().inode().number();
            assertThat(lookup(table, "meanwhile").number()).isEqualTo(number);
            assertThat(table.ask(new TableQuery.Usage()).join().inodes()).isEqualTo(3);
        }
    }

    @Test
    void aNodeThatDoesNotLeadRefuses() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1", "n-2")) {
            NodeId leader = await().until(() -> rig.leader().orElse(null), found -> found != null);
            NodeId other = new NodeId(leader.equals(new NodeId("n-1")) ? "n-2" : "n-1");

            assertThat(code(rig, other, "{\"call\":\"ask\",\"query\":{\"ask\":\"usage\"}}"))
                    .isEqualTo(WireCode.REFUSED);
        }
    }

    @Test
    void hostileCallsAreRefused() throws Exception {
        try (TableRig rig = new TableRig(dir, "n-1")) {
            NodeId leader = await().until(() -> rig.leader().orElse(null), found -> found != null);
            ConcurrentHashMap<String, WireCode> codes = new ConcurrentHashMap<>();
            List<String> bodies = List.of(
                    "",
                    "null",
                    "{}",
                    "{\"call\":\"ask\"}",
                    "{\"call\":\"sync\",\"client\":\"c\"}",
                    "{\"call\":\"change\",\"client\":\"../x\",\"number\":1,\"command\":{\"do\":\"release\",\"inode\":1}}",
                    "{\"call\":\"change\",\"client\":\"c\",\"number\":0,\"command\":{\"do\":\"release\",\"inode\":1}}",
                    "{\"call\":\"change\",\"client\":\"c\",\"number\":1,\"command\":{\"do\":\"nothing\"}}",
                    "{\"call\":\"change\",\"client\":\"c\",\"number\":1}",
                    behind("../x", 0, STEP),
                    behind("c", -1, STEP),
                    behind("c", 1, STEP),
                    behind("c", 0, "null"),
                    behind("c", 0, "{\"number\":1,\"command\":{\"do\":\"release\",\"inode\":1}}"),
                    behind("c", 0, "{\"number\":1,\"time\":\"1970-01-01T00:00:00Z\"}"));
            bodies.forEach(body -> codes.put(body, code(rig, leader, body)));

            assertThat(codes).hasSize(bodies.size());
            assertThat(codes.values()).containsOnly(WireCode.MALFORMED);
            assertThat(code(
                            rig,
                            leader,
                            "{\"call\":\"change\",\"client\":\"stranger\",\"number\":1,"
                                    + "\"command\":{\"do\":\"release\",\"inode\":1}}"))
                    .isEqualTo(WireCode.NOT_FOUND);
        }
    }

    private static String behind(String client, long settled, String step) {
        return "{\"call\":\"write-behind\",\"client\":\"%s\",\"settled\":%d,\"steps\":[%s]}"
                .formatted(client, settled, step);
    }

    private static WireCode code(TableRig rig, NodeId node, String body) {
        return rig.frames()
                .call(
                        rig.address(node.value()),
                        TableFrames.CALL,
                        Unpooled.EMPTY_BUFFER,
                        Unpooled.wrappedBuffer(body.getBytes(StandardCharsets.UTF_8)),
                        Duration.ofSeconds(20))
                .handle((frame, failure) -> ((WireException) FencedStore.cause(failure)).code())
                .join();
    }
}
