// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every registered policy keeps, whatever it prefers to evict. */
class EvictionPolicyContractTest {

    private static final long CAPACITY = 1000;

    static List<String> names() {
        return EvictionPolicies.names();
    }

    private static EvictionPolicy<Integer> create(String name) {
        return EvictionPolicies.create(name, new PolicyContext<>(CAPACITY, new SchedulingWindow<>(16)));
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
    void keepsItsBoundAndItsBooksUnderRandomRequests(String name) {
        for (long seed = 1; seed <= 20; seed++) {
            new RandomRequests(name, seed).run(2_000);
        }
    }

    @ParameterizedTest
    @MethodSource("names")
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

        RandomRequests(String name, long seed) {
            policy = EvictionPolicies.create(name, new PolicyContext<>(CAPACITY, window));
            random = new Random(seed);
            label = name + " with seed " + seed;
        }

        List<Integer> run(int steps) {
            for (int step = 0; step < steps; step++) {
                switch (random.nextInt(20)) {
                    case 0 -> drop(random.nextInt(60));
                    default -> request(random.nextInt(60));
                }
                assertThat(policy.residentBytes()).as(label).isEqualTo(sum()).isLessThanOrEqualTo(CAPACITY);
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
            if (!admitted) {
                assertThat(evicted).as(label).isEmpty();
                return;
            }
            assertNoneTooMany(evicted, bytes);
            evicted.forEach(victim -> assertThat(books.remove(victim)).as(label).isNotNull());
            books.put(key, bytes);
        }

        private void assertNoneTooMany(List<Integer> evicted, long bytes) {
            if (!evicted.isEmpty()) {
                long spared = evicted.subList(0, evicted.size() - 1).stream()
                        .mapToLong(books::get)
                        .sum();
                assertThat(sum() - spared + bytes).as(label).isGreaterThan(CAPACITY);
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
