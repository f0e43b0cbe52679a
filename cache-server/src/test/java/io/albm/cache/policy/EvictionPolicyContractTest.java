// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every registered policy keeps, whatever it prefers to evict. */
class EvictionPolicyContractTest {

    private static final long CAPACITY = 1000;

    static List<String> names() {
        return EvictionPolicies.names();
    }

    private static EvictionPolicy<Integer> create(String name) {
        return EvictionPolicies.create(name, context(CAPACITY));
    }

    private static PolicyContext<Integer> context(long capacity) {
        return new PolicyContext<>(capacity, new SchedulingWindow<>(16));
    }

    /** Ten documents of 100 bytes. */
    private static EvictionPolicy<Integer> full(String name) {
        EvictionPolicy<Integer> policy = create(name);
        for (int key = 0; key < 10; key++) {
            policy.admit(key, 100, victim -> {});
        }
        return policy;
    }

    @Test
    void namesEveryPolicyWhenAskedForAnUnknownOne() {
        assertThatThrownBy(() -> create("no-such-policy"))
                .hasMessageContaining("no-such-policy")
                .hasMessageContaining(String.join(", ", EvictionPolicies.names()));
    }

    @ParameterizedTest
    @MethodSource("names")
    void startsEmpty(String name) {
        EvictionPolicy<Integer> policy = create(name);

        assertThat(policy.residents()).isZero();
        assertThat(policy.residentBytes()).isZero();
        assertThat(policy.capacityBytes()).isEqualTo(CAPACITY);
    }

    @ParameterizedTest
    @MethodSource("names")
    void admitsWithoutEvictionWhileThereIsRoom(String name) {
        EvictionPolicy<Integer> policy = create(name);
        List<Integer> victims = new ArrayList<>();

        for (int key = 0; key < 10; key++) {
            assertThat(policy.admit(key, 100, victims::add)).isTrue();
        }

        assertThat(victims).isEmpty();
        assertThat(policy.residentBytes()).isEqualTo(CAPACITY);
    }

    @ParameterizedTest
    @MethodSource("names")
    void refusesADocumentLargerThanTheCapacityAndKeepsTheRest(String name) {
        EvictionPolicy<Integer> policy = create(name);
        List<Integer> victims = new ArrayList<>();
        policy.admit(1, 100, victims::add);

        assertThat(policy.admit(2, CAPACITY + 1, victims::add)).isFalse();
        assertThat(policy.admit(3, Long.MAX_VALUE, victims::add)).isFalse();

        assertThat(victims).isEmpty();
        assertThat(policy.isResident(1)).isTrue();
    }

    @ParameterizedTest
    @MethodSource("names")
    void forgetsADroppedDocumentWithoutCallingItAVictim(String name) {
        EvictionPolicy<Integer> policy = create(name);
        policy.admit(1, 600, victim -> {});
        policy.remove(1);
        policy.remove(1);

        assertThat(policy.isResident(1)).isFalse();
        assertThat(policy.residentBytes()).isZero();
        List<Integer> victims = new ArrayList<>();
        assertThat(policy.admit(1, 700, victims::add)).isTrue();
        assertThat(victims).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("names")
    void refusesCallsThatContradictWhatIsResident(String name) {
        EvictionPolicy<Integer> policy = create(name);
        policy.admit(1, 1, victim -> {});

        assertThatThrownBy(() -> policy.served(2)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> policy.admit(1, 1, victim -> {})).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @MethodSource("names")
    void growsWithoutEviction(String name) {
        EvictionPolicy<Integer> policy = full(name);
        List<Integer> victims = new ArrayList<>();

        policy.resize(2 * CAPACITY, victims::add);

        assertThat(victims).isEmpty();
        assertThat(policy.capacityBytes()).isEqualTo(2 * CAPACITY);
        assertThat(policy.admit(100, CAPACITY, victims::add)).isTrue();
        assertThat(victims).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("names")
    void shrinksByAsMuchAsItMust(String name) {
        EvictionPolicy<Integer> policy = full(name);
        List<Integer> victims = new ArrayList<>();

        policy.resize(450, victims::add);

        assertThat(victims).hasSize(6).doesNotHaveDuplicates().noneMatch(policy::isResident);
        assertThat(policy.residents()).isEqualTo(4);
        assertThat(policy.residentBytes()).isEqualTo(400);
        assertThat(policy.admit(100, 451, victims::add)).isFalse();
        policy.resize(0, victims::add);
        assertThat(victims).hasSize(10);
        assertThat(policy.residents()).isZero();
        assertThatThrownBy(() -> policy.resize(-1, victims::add)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @MethodSource("names")
    void namesItsResidents(String name) {
        EvictionPolicy<Integer> policy = create(name);
        for (int key = 1; key <= 5; key++) {
            policy.admit(key, key * 10L, victim -> {});
        }
        policy.remove(2);

        assertThat(policy.victimsFirst().get()).containsExactlyInAnyOrder(1, 3, 4, 5);
    }

    /** A key whose hash one thread waits for. */
    private record Key(int number, AtomicReference<Thread> held, CountDownLatch release) {
        @Override
        public int hashCode() {
            if (Thread.currentThread().equals(held.get())) {
                try {
                    release.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            }
            return number;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key that && that.number == number;
        }
    }

    /** Sorting by another thread may be as slow as it likes. */
    @ParameterizedTest
    @MethodSource("names")
    void evictsWhileItsResidentsAreSorted(String name) throws Exception {
        AtomicReference<Thread> held = new AtomicReference<>();
        CountDownLatch release = new CountDownLatch(1);
        EvictionPolicy<Key> policy =
                EvictionPolicies.create(name, new PolicyContext<>(CAPACITY, new SchedulingWindow<>(16)));
        for (int number = 0; number < 10; number++) {
            policy.admit(new Key(number, held, release), 100, victim -> {});
        }
        FutureTask<List<Key>> sorting = new FutureTask<>(policy.victimsFirst()::get);
        Thread sorter = new Thread(sorting);
        held.set(sorter);
        sorter.start();
        await().until(() -> sorting.isDone() || sorter.getState() == Thread.State.WAITING);
        FutureTask<Boolean> eviction = new FutureTask<>(() -> policy.resize(CAPACITY / 2, victim -> {}), true);
        new Thread(eviction).start();

        assertThat(eviction.get(10, TimeUnit.SECONDS)).isTrue();

        release.countDown();
        assertThat(policy.residents()).isEqualTo(5);
        assertThat(sorting.get()).hasSizeBetween(5, 10);
    }

    @ParameterizedTest
    @MethodSource("names")
    void takesOverFromEveryOtherPolicy(String name) {
        for (String other : EvictionPolicies.names()) {
            EvictionPolicy<Integer> policy = create(name);
            EvictionPolicy<Integer> predecessor = full(other);

            predecessor.victimsFirst().get().forEach(key -> policy.inherit(key, CAPACITY / 10, 1 + key));

            assertThat(policy.residents()).as("after %s", other).isEqualTo(10);
            assertThat(policy.residentBytes()).isEqualTo(CAPACITY);
            List<Integer> victims = new ArrayList<>();
            policy.resize(CAPACITY / 2, victims::add);
            assertThat(victims).as("after %s", other).hasSize(5).noneMatch(policy::isResident);
        }
    }

    /** Those that look at how often a document was asked for. */
    @ParameterizedTest
    @ValueSource(strings = {"gdsf", "window-aware"})
    void keepsWhatItTookOverAndWasAskedForOften(String name) {
        PolicyContext<Integer> context = context(CAPACITY);
        SchedulingWindow<Integer> window = context.window();
        for (int request = 0; request < 1000; request++) {
            window.leave(window.enter(0));
        }
        EvictionPolicy<Integer> policy = EvictionPolicies.create(name, context);
        for (int key = 0; key < 10; key++) {
            policy.inherit(key, CAPACITY / 10, key == 3 ? 500 : 2);
        }

        List<Integer> victims = new ArrayList<>();
        policy.resize(CAPACITY / 10, victims::add);

        assertThat(policy.isResident(3)).isTrue();
        assertThat(victims).hasSize(9);
    }

    @ParameterizedTest
    @MethodSource("names")
    void keepsItsBoundAndItsBooksUnderRandomRequests(String name) {
        for (long seed = 1; seed <= 20; seed++) {
            new RandomRequests(name, seed).run(2_000);
        }
    }

    /** Caffeine breaks ties by the thread's random source; all others must not. */
    static List<String> deterministicNames() {
        return names().stream().filter(name -> !name.equals("caffeine")).toList();
    }

    @ParameterizedTest
    @MethodSource("deterministicNames")
    void decidesTheSameForTheSameRequests(String name) {
        assertThat(new RandomRequests(name, 7).run(3_000)).isEqualTo(new RandomRequests(name, 7).run(3_000));
    }

    /** Drives a policy as its owner does and checks it against plain books after every step. */
    private static final class RandomRequests {
        private final SchedulingWindow<Integer> window = new SchedulingWindow<>(16);
        private final List<SchedulingWindow.Ticket<Integer>> waiting = new ArrayList<>();
        private final List<Integer> keys = new ArrayList<>();
        private final Map<Integer, Long> books = new HashMap<>();
        private final List<Integer> victims = new ArrayList<>();
        private final EvictionPolicy<Integer> policy;
        private final Random random;
        private final String label;
        private long capacity = CAPACITY;

        RandomRequests(String name, long seed) {
            policy = EvictionPolicies.create(name, new PolicyContext<>(CAPACITY, window));
            random = new Random(seed);
            label = name + " with seed " + seed;
        }

        List<Integer> run(int steps) {
            for (int step = 0; step < steps; step++) {
                switch (random.nextInt(40)) {
                    case 0, 1 -> drop(random.nextInt(60));
                    case 2 -> resize(CAPACITY / (1 + random.nextInt(3)));
                    default -> request(random.nextInt(60));
                }
                assertThat(policy.residentBytes()).as(label).isEqualTo(sum()).isLessThanOrEqualTo(capacity);
                assertThat(policy.residents()).as(label).isEqualTo(books.size());
            }
            return victims;
        }

        private void request(int key) {
            SchedulingWindow.Ticket<Integer> ticket = window.enter(key);
            waiting.add(ticket);
            keys.add(key);
            if (ticket.isCounted()) {
                policy.arrived(key);
            }
            if (waiting.size() > 12) {
                serve(keys.removeFirst());
                window.leave(waiting.removeFirst());
            }
        }

        private void serve(int key) {
            assertThat(policy.isResident(key)).as(label).isEqualTo(books.containsKey(key));
            if (policy.isResident(key)) {
                policy.served(key);
            } else {
                offer(key, (key * 37L) % 400);
            }
        }

        private void offer(int key, long bytes) {
            int before = victims.size();
            boolean admitted = policy.admit(key, bytes, victims::add);
            List<Integer> evicted = victims.subList(before, victims.size());
            if (admitted) {
                assertNoneTooMany(evicted, bytes);
                books.put(key, bytes);
            } else {
                assertThat(bytesOf(evicted)).as(label).isLessThanOrEqualTo(bytes);
            }
            forget(evicted);
        }

        private void resize(long bytes) {
            int before = victims.size();
            policy.resize(bytes, victims::add);
            List<Integer> evicted = victims.subList(before, victims.size());
            capacity = bytes;
            assertNoneTooMany(evicted, 0);
            forget(evicted);
        }

        private void forget(List<Integer> evicted) {
            evicted.forEach(victim -> assertThat(books.remove(victim)).as(label).isNotNull());
        }

        private long bytesOf(List<Integer> keys) {
            return keys.stream().mapToLong(books::get).sum();
        }

        private void assertNoneTooMany(List<Integer> evicted, long bytes) {
            if (!evicted.isEmpty()) {
                long spared = bytesOf(evicted.subList(0, evicted.size() - 1));
                assertThat(sum() - spared + bytes).as(label).isGreaterThan(capacity);
            }
        }

        private void drop(int key) {
            policy.remove(key);
            books.remove(key);
        }

        private long sum() {
            return books.values().stream().mapToLong(Long::longValue).sum();
        }
    }
}
