// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.checkpoint.control.RestoredState;
import io.albm.checkpoint.control.StateOrigin;
import io.albm.checkpoint.job.HostLostException;
import io.albm.checkpoint.job.PartnerOrder;
import io.albm.checkpoint.job.RankCommand;
import io.albm.checkpoint.job.RankExit;
import io.albm.checkpoint.job.RankHost;
import io.albm.checkpoint.job.RankStart;
import io.albm.checkpoint.job.RestoreOrder;
import io.albm.checkpoint.protocol.LocalCopy;
import io.albm.checkpoint.protocol.LostDataException;
import io.albm.checkpoint.protocol.Pack;
import io.albm.checkpoint.protocol.PackId;
import io.albm.checkpoint.protocol.StoredUnit;
import io.albm.core.json.Json;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A supervisor's host and the other end of it, over a link that loses every other answer. */
@Timeout(60)
class RemoteHostTest {
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final RankStart START = new RankStart(1, "here:1/token", -1, List.of(0, 1));
    private static final Map<Integer, Long> PIDS = Map.of(0, 100L, 1, 101L);

    private final ScheduledExecutorService loop = Executors.newSingleThreadScheduledExecutor();
    private final List<String> done = new CopyOnWriteArrayList<>();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private volatile PlayedHost played = new PlayedHost(0, null, done);
    private volatile HostedJob job = hosted("first");
    private final AtomicLong now = new AtomicLong();
    private final List<Long> numbers = new CopyOnWriteArrayList<>();
    private volatile boolean cut;
    private int answers;
    private final RemoteHost host = remote();

    @AfterEach
    void stop() {
        loop.shutdownNow();
    }

    @Test
    void everythingHappensOnceThoughAnswersAreLost() {
        start();
        played.listener().output(0, "one");
        played.listener().output(1, "two");
        loop.execute(() -> played.listener().exited(new RankExit(1, 1, 101, 3)));
        await().atMost(PATIENCE).until(() -> told.contains("exit 1: 3"));
        assertThat(onLoop(() -> host.restore(order(0, 10))))
                .succeedsWithin(PATIENCE)
                .isEqualTo(new RestoredState("digest", StateOrigin.NONE));
        assertThat(onLoop(() -> host.restore(order(1, 0))))
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withCauseInstanceOf(LostDataException.class);
        assertThat(told).containsExactly("0: one", "1: two", "exit 1: 3");
        assertThat(done).containsExactly("7 clear", "7 start 1", "7 restore 0", "7 restore 1");
    }

    @Test
    void ranksThatTheHostMakesReadyHaveNotBegun() {
        clear();
        CompletableFuture<Void> ready = played.makesReady();
        CompletableFuture<Map<Integer, Long>> begun = onLoop(() -> host.start(START));
        await().atMost(PATIENCE).until(() -> done.contains("7 start 1"));
        int before = answers();
        await().atMost(PATIENCE).until(() -> answers() > before + 2);
        assertThat(begun).isNotDone();
        loop.execute(() -> ready.complete(null));
        assertThat(begun).succeedsWithin(PATIENCE).isEqualTo(PIDS);
        assertThat(told).isEmpty();
    }

    private int answers() {
        return onLoop(() -> CompletableFuture.completedFuture(answers)).join();
    }

    @Test
    void holdsCopiesOfOtherHostsOnceThoughAnswersAreLost() {
        start();
        PartnerOrder order = new PartnerOrder(
                3, List.of(new PartnerOrder.Wanted(5, new NodeAddress("127.0.0.1", 1), new LocalCopy(7, 8))));
        assertThat(onLoop(() -> host.hold(order))).succeedsWithin(PATIENCE).isEqualTo(Set.of(5));
        assertThat(done).containsExactly("7 clear", "7 start 1", "7 hold copies of 3");
    }

    @Test
    void tellsHowFarItHasComeWithTheStates() {
        start();
        assertThat(host.drainProgress()).isZero();
        played.drained(42);
        await().atMost(PATIENCE)
                .until(() -> onLoop(() -> CompletableFuture.completedFuture(host.drainProgress()))
                        .join()
                        .equals(42L));
    }

    @Test
    void ranksAreDeadWhenTheHostHasSeenThemDead() {
        start();
        CompletableFuture<Void> killed = onLoop(host::killAll);
        await().atMost(PATIENCE).until(() -> done.contains("7 kill"));
        assertThat(killed).isNotDone();
        loop.execute(() -> played.killed().complete(null));
        assertThat(killed).succeedsWithin(PATIENCE);
    }

    @Test
    void aHostThatCannotBeClearedStartsNothingAndHasNothingToKill() {
        CompletableFuture<Integer> cleared = onLoop(host::killLeftOvers);
        await().atMost(PATIENCE).until(() -> done.contains("7 clear"));
        loop.execute(() -> played.cleared().completeExceptionally(new IOException("no table")));
        assertThat(cleared).failsWithin(PATIENCE).withThrowableThat().withMessageContaining("no table");
        assertThat(onLoop(() -> host.start(START)))
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withMessageContaining("no table");
        assertThat(onLoop(host::killAll)).succeedsWithin(PATIENCE);
        assertThat(done).containsExactly("7 clear");
    }

    @Test
    void ranksOfASilentHostAreDeadWhenEachWasSeenAtItsEnd() {
        start();
        cutOffForTheLease();
        CompletableFuture<Void> killed = onLoop(host::killAll);
        loop.execute(() -> host.disconnected(0));
        assertThat(onLoop(() -> CompletableFuture.completedFuture(killed.isDone()))
                        .join())
                .isFalse();
        loop.execute(() -> host.disconnected(1));
        assertThat(onLoop(() -> CompletableFuture.completedFuture(killed.isDone()))
                        .join())
                .isTrue();
        assertThat(onLoop(() -> host.restore(order(0, 10))))
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withCauseInstanceOf(HostLostException.class);
    }

    @Test
    void ranksOfASilentHostAreDeadWhenItsLeaseHasRunOut() {
        start();
        cutOffForTheLease();
        CompletableFuture<Void> killed = onLoop(host::killAll);
        assertThat(onLoop(() -> CompletableFuture.completedFuture(killed.isDone()))
                        .join())
                .isFalse();
        now.addAndGet(Duration.ofSeconds(13).toNanos() + 1);
        assertThat(killed).succeedsWithin(PATIENCE);
    }

    @Test
    void aHostThatWasStartedAnewHasLostItsRanksAndStartsNothing() {
        start();
        job = hosted("second");
        await().atMost(PATIENCE).until(() -> done.equals(List.of("7 clear", "7 start 1", "7 clear")));
        assertThat(told).isEmpty();
        loop.execute(() -> played.cleared().complete(0));
        await().atMost(PATIENCE).until(() -> told.contains("lost h"));
        assertThat(onLoop(host::killAll)).succeedsWithin(PATIENCE);
        assertThat(done).containsExactly("7 clear", "7 start 1", "7 clear");
    }

    @Test
    void aHostThatIsUsedAgainInTheSameRunTakesNoResultOfBefore() {
        start();
        assertThat(onLoop(() -> host.restore(order(0, 10)))).succeedsWithin(PATIENCE);
        loop.execute(host::close);
        RemoteHost again = remote();
        assertThat(onLoop(again::killLeftOvers)).succeedsWithin(PATIENCE);
        assertThat(onLoop(() -> again.restore(order(1, 0))))
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withCauseInstanceOf(LostDataException.class);
        assertThat(numbers)
                .as("what the first one sent last is older")
                .isSorted()
                .doesNotHaveDuplicates();
    }

    private RemoteHost remote() {
        return new RemoteHost(
                "h",
                this::tell,
                7,
                2,
                new RankCommand(List.of("true"), Map.of(), "/", null),
                LEASE,
                new Told(),
                loop,
                this::now);
    }

    private long now() {
        return now.get();
    }

    private void cutOffForTheLease() {
        cut = true;
        assertThat(told).isEmpty();
        now.addAndGet(LEASE.toNanos() + 1);
        await().atMost(PATIENCE).until(() -> told.contains("lost h"));
    }

    private void start() {
        clear();
        assertThat(onLoop(() -> host.start(START))).succeedsWithin(PATIENCE).isEqualTo(PIDS);
    }

    private void clear() {
        CompletableFuture<Integer> cleared = onLoop(host::killLeftOvers);
        await().atMost(PATIENCE).until(() -> done.contains("7 clear"));
        loop.execute(() -> played.cleared().complete(2));
        assertThat(cleared).succeedsWithin(PATIENCE).isEqualTo(2);
    }

    private <T> CompletableFuture<T> onLoop(Supplier<CompletableFuture<T>> call) {
        return CompletableFuture.supplyAsync(call, loop).thenCompose(result -> result);
    }

    private static RestoreOrder order(int rank, long size) {
        Pack pack = new Pack(new PackId(1, rank), 1, 1);
        StoredUnit unit = new StoredUnit(rank, "index", size, "", 1, "", size, pack, List.of());
        return new RestoreOrder(unit, new NodeAddress("127.0.0.1", 1));
    }

    private HostedJob hosted(String instance) {
        return new HostedJob(
                "heat",
                7,
                instance,
                Path.of("/data/jobs/heat"),
                (command, listener) -> {
                    played = new PlayedHost(command.run(), listener, done);
                    return played;
                },
                loop,
                this::now);
    }

    private CompletableFuture<HostAnswer> tell(HostCommand command) {
        HostCommand heard = Json.read(Json.bytes(command), HostCommand.class);
        numbers.add(heard.number());
        return cut
                ? lost()
                : CompletableFuture.supplyAsync(() -> answer(heard), loop)
                        .thenCompose(answer -> answers++ % 2 == 0 ? lost() : CompletableFuture.completedFuture(answer));
    }

    private HostAnswer answer(HostCommand heard) {
        try {
            return Json.read(Json.bytes(job.on(heard)), HostAnswer.class);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static CompletableFuture<HostAnswer> lost() {
        return CompletableFuture.failedFuture(new IOException("lost"));
    }

    private final class Told implements RankHost.Listener {
        @Override
        public void output(int rank, String line) {
            told.add(rank + ": " + line);
        }

        @Override
        public void exited(RankExit exit) {
            told.add("exit " + exit.rank() + ": " + exit.exit());
        }

        @Override
        public void lost(String name, String reason) {
            told.add("lost " + name);
        }

        @Override
        public void superseded(String name) {
            told.add("superseded " + name);
        }

        @Override
        public void notice(String text) {
            told.add(text);
        }
    }
}
