// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.albm.core.time.MonotonicClock;
import io.albm.core.topology.Priority;
import io.albm.distributor.backend.Backend;
import io.albm.distributor.backend.BackendChooser;
import io.albm.distributor.backend.BackendDirectory;
import io.albm.distributor.routing.BackendLoad;
import io.albm.distributor.routing.Outcome;
import io.albm.distributor.routing.RoutedRequest;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.EventExecutor;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The line of those who wait, with a real directory and event loops of the test's own. */
class WaitingRoomTest {
    private static final int CAPACITY = 100;

    private static final BackendChooser ALWAYS_FULL = chooser(() -> Backend.FULL);

    private final ProxyHarness harness;
    private final BackendDirectory directory;
    private final List<EventExecutor> loops = List.of(new DefaultEventExecutor(), new DefaultEventExecutor());
    private final List<String> order = new CopyOnWriteArrayList<>();
    private final AtomicInteger looks = new AtomicInteger();
    private final AtomicInteger drops = new AtomicInteger();
    private final WaitingRoom room;

    WaitingRoomTest() throws IOException {
        harness = new ProxyHarness(new TestSettings().maxConnections(1), new RawBackend(RawBackend.text("ok")));
        directory = harness.directory;
        room = new WaitingRoom(
                harness.stats,
                MonotonicClock.system(),
                patience -> drops.incrementAndGet(),
                CAPACITY,
                Duration.ofSeconds(30));
    }

    @AfterEach
    void close() throws IOException {
        loops.forEach(EventExecutor::shutdownGracefully);
        harness.close();
    }

    /** A policy that answers that. */
    private static BackendChooser chooser(Supplier<@Nullable Backend> answer) {
        return new BackendChooser() {
            @Override
            public @Nullable Backend choose(RoutedRequest request, RandomGenerator random) {
                return answer.get();
            }

            @Override
            public String whyNone() {
                return "the test says so";
            }
        };
    }

    /** Somebody who holds his place until the test lets him go. */
    private class Waiter implements Guest {
        private final String name;
        private final Priority priority;
        private final EventExecutor loop;
        private final long since = System.nanoTime();
        private BackendChooser chooser = directory;
        private boolean retry;
        private @Nullable Backend backend;
        private long ticket;

        Waiter(String name, Priority priority, int loop) {
            this.name = name;
            this.priority = priority;
            this.loop = loops.get(loop);
        }

        /** Picks by another policy. */
        Waiter by(BackendChooser policy) {
            chooser = policy;
            return this;
        }

        /** A backend has failed him. */
        Waiter again() {
            retry = true;
            return this;
        }

        Waiter come() {
            Backend got = room.take(this, new SplittableRandom(1));
            if (got == Backend.FULL || got == Backend.WAIT) {
                room.enter(this);
            } else {
                admitted(got);
            }
            return this;
        }

        void go() {
            Backend used = backend;
            if (used != null) {
                used.end(ticket, Outcome.ANSWERED, 1, nowNanos());
                room.roomMade(loop);
            }
        }

        @Override
        public boolean reserve(Backend at) {
            long taken = at.begin(this);
            if (taken == BackendLoad.FULL) {
                return false;
            }
            ticket = taken;
            backend = at;
            return true;
        }

        @Override
        public void admitted(@Nullable Backend to) {
            order.add(name);
        }

        @Override
        public void turnedAway(String reason) {
            order.add(name + " turned away");
        }

        @Override
        public BackendChooser chooser() {
            looks.incrementAndGet();
            return chooser;
        }

        @Override
        public Priority priority() {
            return priority;
        }

        @Override
        public long sinceNanos() {
            return since;
        }

        @Override
        public boolean isRetry() {
            return retry;
        }

        @Override
        public EventExecutor loop() {
            return loop;
        }

        @Override
        public long hash() {
            return 0;
        }

        @Override
        public int route() {
            return DEFAULT_ROUTE;
        }

        @Override
        public boolean tried(String backendId) {
            return false;
        }

        @Override
        public long nowNanos() {
            return System.nanoTime();
        }
    }

    /** His own loop may find that before the turn is over in which he got his place. */
    @Test
    void whoIsFailedAtOnceByTheBackendThatHeGotIsAskedForAgain() {
        Waiter holder = new Waiter("holder", Priority.NORMAL, 0).come();
        Waiter failed = new Waiter("failed", Priority.NORMAL, 1) {
            @Override
            public boolean reserve(Backend at) {
                boolean reserved = super.reserve(at);
                again();
                return reserved;
            }
        }.come();
        holder.go();
        await().until(() -> order.equals(List.of("holder", "failed")));
        Waiter next = new Waiter("next", Priority.NORMAL, 0).come();
        failed.go();
        await().until(() -> order.contains("next"));
        failed.come();

        next.go();

        await().until(() -> order.equals(List.of("holder", "failed", "next", "failed")));
    }

    @Test
    void admitsByPriorityAndThenByAgeWhicheverLoopTheyBelongTo() {
        var holder = new Waiter("holder", Priority.NORMAL, 0).come();
        var low = new Waiter("low", Priority.LOW, 0).come();
        var first = new Waiter("first", Priority.NORMAL, 1).come();
        var second = new Waiter("second", Priority.NORMAL, 0).come();
        var high = new Waiter("high", Priority.HIGH, 1).come();
        assertThat(room.waiting()).isEqualTo(4);

        int served = 1;
        for (Waiter next : List.of(holder, high, first, second)) {
            next.go();
            int expected = ++served;
            await().until(() -> order.size() == expected);
        }
        assertThat(order).containsExactly("holder", "high", "first", "second", "low");
        assertThat(room.waiting()).isZero();
        assertThat(room.mostWaiting()).isEqualTo(4);
        low.go();
    }

    @Test
    void whoComesDoesNotOvertakeThoseWhoWait() {
        var holder = new Waiter("holder", Priority.NORMAL, 0).come();
        var waiting = new Waiter("waiting", Priority.NORMAL, 1).come();
        var latecomer = new Waiter("latecomer", Priority.NORMAL, 0);
        holder.go();
        latecomer.come();
        await().until(() -> order.contains("waiting"));
        assertThat(order).containsExactly("holder", "waiting");

        waiting.go();
        await().until(() -> order.contains("latecomer"));
        latecomer.go();
    }

    @Test
    void whoLeavesIsNotAdmitted() {
        var holder = new Waiter("holder", Priority.NORMAL, 0).come();
        var gone = new Waiter("gone", Priority.NORMAL, 1).come();
        var next = new Waiter("next", Priority.NORMAL, 1).come();

        assertThat(room.leave(gone)).isTrue();
        assertThat(room.leave(gone)).isFalse();
        holder.go();
        await().until(() -> order.contains("next"));
        assertThat(order).doesNotContain("gone");
        next.go();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoIsRefusedByOnePolicyHoldsUpNobodyOfAnother(boolean retries) {
        for (int i = 0; i < 6; i++) {
            Waiter refused = new Waiter("refused", Priority.HIGH, 0).by(ALWAYS_FULL);
            (retries ? refused.again() : refused).come();
        }
        var other = new Waiter("other", Priority.HIGH, 1).come();

        await().until(() -> order.contains("other"));
        assertThat(order).containsExactly("other");
        assertThat(room.waiting()).isEqualTo(6);
        other.go();
    }

    @Test
    void aLineFullOfThoseOfOnePolicyTurnsNobodyOfAnotherAway() {
        for (int i = 0; i < CAPACITY; i++) {
            new Waiter("refused", Priority.NORMAL, 0).by(ALWAYS_FULL).come();
        }
        var other = new Waiter("other", Priority.NORMAL, 1).come();
        await().until(() -> order.contains("other"));
        new Waiter("one more", Priority.NORMAL, 1).come();

        assertThat(order).containsExactly("other", "one more turned away");
        assertThat(room.waiting()).isEqualTo(CAPACITY);
        assertThat(room.mostWaiting()).isEqualTo(CAPACITY);
        other.go();
    }

    @Test
    void whoWaitsForAnotherReasonIsNotForgottenThoughTheLineWasMadeShorter() {
        var answer = new AtomicReference<@Nullable Backend>(Backend.FULL);
        var asked = new AtomicInteger();
        BackendChooser changing = chooser(() -> {
            asked.addAndGet(answer.get() == Backend.WAIT ? 1 : 0);
            return answer.get();
        });
        new Waiter("first", Priority.NORMAL, 0).by(changing).come();
        new Waiter("second", Priority.NORMAL, 0).by(changing).come();
        room.resize(1, Duration.ofSeconds(30));
        answer.set(Backend.WAIT);
        await().until(() -> asked.get() >= 4);
        answer.set(null);

        await().until(() -> room.waiting() == 0);
        await().untilAsserted(() -> assertThat(order).containsExactly("first", "second"));
    }

    @Test
    void whoIsTriedAgainAndTooCostlyIsAskedForWhileOthersWhoAreTriedAgainWaitForAPlace() {
        var answer = new AtomicReference<@Nullable Backend>(Backend.WAIT);
        new Waiter("costly", Priority.NORMAL, 0)
                .again()
                .by(chooser(answer::get))
                .come();
        for (int i = 0; i < 5; i++) {
            new Waiter("refused", Priority.NORMAL, 0).again().by(ALWAYS_FULL).come();
        }
        answer.set(null);

        await().untilAsserted(() -> assertThat(order).containsExactly("costly"));
    }

    @Test
    void howManyAreLookedAtDoesNotDependOnHowManyWaitThoughSomebodyOfAnotherPolicyHasWaited() {
        var asked = new AtomicInteger();
        BackendChooser full = counting(Backend.FULL, asked);
        var gone = new Waiter("gone", Priority.NORMAL, 0).by(ALWAYS_FULL).come();
        for (int i = 1; i < CAPACITY; i++) {
            new Waiter("waiting", Priority.NORMAL, 0).by(full).come();
        }
        room.leave(gone);
        asked.set(0);
        looks.set(0);
        await().until(() -> asked.get() >= 5);

        assertThat(looks.get()).isLessThan(asked.get() * CAPACITY / 4);
    }

    @Test
    void letsAStalledClientGoForOneWhoMayUseAnyPlace() {
        new Waiter("first", Priority.NORMAL, 0).by(ALWAYS_FULL).come();

        await().until(() -> drops.get() >= 2);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void letsNoStalledClientGoForThoseWhomAPlaceMayNotHelp(boolean retries) {
        var asked = new AtomicInteger();
        BackendChooser chooser = counting(retries ? Backend.FULL : Backend.WAIT, asked);
        Waiter waiter = new Waiter("waiting", Priority.NORMAL, 0).by(chooser);
        (retries ? waiter.again() : waiter).come();
        await().until(() -> asked.get() >= 10);

        assertThat(drops.get()).isZero();
    }

    private static BackendChooser counting(Backend answer, AtomicInteger asked) {
        return chooser(() -> {
            asked.incrementAndGet();
            return answer;
        });
    }

    @Test
    void nobodyIsForgottenWhileTwoLoopsTakeAndGiveOnePlace() throws Exception {
        int each = 2_000;
        var done = new CountDownLatch(2 * each);
        for (int loop = 0; loop < 2; loop++) {
            int own = loop;
            Thread.ofPlatform().start(() -> {
                for (int i = 0; i < each; i++) {
                    var turn = new Turn(own, done);
                    loops.get(own).execute(turn::come);
                    turn.awaitOver();
                }
            });
        }
        await().until(() -> done.getCount() == 0);

        assertThat(directory.backends().getFirst().inFlight()).isZero();
        assertThat(room.waiting()).isZero();
    }

    /** Takes the place, alone, and gives it back at once. */
    private final class Turn {
        private final CountDownLatch over = new CountDownLatch(1);
        private final Waiter waiter;

        Turn(int loop, CountDownLatch done) {
            waiter = new Waiter("turn", Priority.NORMAL, loop) {
                @Override
                public void admitted(@Nullable Backend to) {
                    go();
                    over.countDown();
                    done.countDown();
                }
            };
        }

        void come() {
            waiter.come();
        }

        void awaitOver() {
            try {
                over.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
