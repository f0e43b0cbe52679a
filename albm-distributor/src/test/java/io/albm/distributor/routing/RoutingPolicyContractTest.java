// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import static io.albm.distributor.routing.Views.down;
import static io.albm.distributor.routing.Views.idle;
import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every policy promises, whatever its name. */
class RoutingPolicyContractTest {
    private final Views views = new Views(ReliefSettings.DEFAULT);
    private final SplittableRandom random = new SplittableRandom(42);

    static List<String> names() {
        return RoutingPolicies.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void answersNoneWithoutBackends(String name) {
        assertThat(pick(name, List.of(), Set.of())).isEqualTo(Rotation.NONE);
    }

    @ParameterizedTest
    @MethodSource("names")
    void answersNoneWhenAllAreDown(String name) {
        assertThat(pick(name, List.of(down("a"), down("b")), Set.of())).isEqualTo(Rotation.NONE);
    }

    @ParameterizedTest
    @MethodSource("names")
    void neverPicksABackendThatIsDown(String name) {
        List<BackendView> backends = List.of(idle("a"), down("b"), idle("c"), down("d"));

        assertThat(shares(name, backends, 1_000)).containsOnlyKeys("a", "c");
    }

    @ParameterizedTest
    @MethodSource("names")
    void neverPicksABackendThatWasTried(String name) {
        List<BackendView> backends = List.of(idle("a"), idle("b"), idle("c"));

        for (int i = 0; i < 100; i++) {
            assertThat(pick(name, backends, Set.of("a", "c"))).isEqualTo(1);
        }
        assertThat(pick(name, backends, Set.of("a", "b", "c"))).isEqualTo(Rotation.NONE);
    }

    @ParameterizedTest
    @MethodSource("names")
    void neverPicksABackendThatIsFullWhileAnotherHasRoom(String name) {
        List<BackendView> backends =
                IntStream.range(0, 20).mapToObj(i -> idle("b" + i)).toList();
        backends.forEach(backend -> backend.load().limitTo(2));
        Rotation rotation = RoutingPolicies.create(name).rotate(views.of(backends));
        for (int i = 0; i < 40; i++) {
            BackendLoad load =
                    backends.get(rotation.pick(Request.hashed(7), random)).load();
            assertThat(load.began(0, 0)).isNotEqualTo(BackendLoad.FULL);
        }
        assertThat(rotation.pick(Request.hashed(7), random)).isEqualTo(Rotation.NONE);

        backends.get(13).load().ended(0, Outcome.ANSWERED, 1, Views.START_NANOS);
        assertThat(rotation.pick(Request.hashed(7), random)).isEqualTo(13);
    }

    @ParameterizedTest
    @MethodSource("names")
    void spreadsEvenlyOverEqualBackends(String name) {
        List<BackendView> backends =
                IntStream.range(0, 5).mapToObj(i -> idle("b" + i)).toList();

        assertThat(shares(name, backends, 10_000).values())
                .allSatisfy(share -> assertThat(share).isBetween(1_800, 2_200));
    }

    @ParameterizedTest
    @MethodSource("names")
    void isDeterministicUnderASeed(String name) {
        assertThat(sequence(name, 7)).isEqualTo(sequence(name, 7));
    }

    @ParameterizedTest
    @MethodSource("names")
    void doesNotStartItsRoundAgainWhenTheViewIsRenewed(String name) {
        List<BackendView> backends = List.of(idle("a"), idle("b"));
        RoutingPolicy policy = RoutingPolicies.create(name);
        var counts = new int[2];
        for (int i = 0; i < 2_000; i++) {
            counts[policy.rotate(views.of(backends)).pick(Request.hashed(i), random)]++;
        }

        assertThat(counts[0]).isBetween(850, 1_150);
    }

    @ParameterizedTest
    @MethodSource("names")
    void keepsItsPromisesUnderManyThreads(String name) throws InterruptedException {
        List<BackendView> backends = List.of(idle("a"), down("b"), idle("c"));
        Rotation rotation = RoutingPolicies.create(name).rotate(views.of(backends));
        Set<Integer> picked = ConcurrentHashMap.newKeySet();
        List<Thread> threads = IntStream.range(0, 4)
                .mapToObj(seed -> Thread.ofPlatform().start(() -> {
                    var own = new SplittableRandom(seed);
                    for (int i = 0; i < 10_000; i++) {
                        picked.add(rotation.pick(Request.hashed(i), own));
                    }
                }))
                .toList();
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(picked).containsExactlyInAnyOrder(0, 2);
    }

    @ParameterizedTest
    @MethodSource("names")
    void picksSomeoneIfAndOnlyIfSomeoneMayServe(String name) {
        for (int size : List.of(1, 2, 3, 4, 1_000)) {
            for (int round = 0; round < 50; round++) {
                picksSomeoneIfAndOnlyIfSomeoneMayServe(name, size);
            }
        }
    }

    private void picksSomeoneIfAndOnlyIfSomeoneMayServe(String name, int size) {
        double share = random.nextDouble();
        List<BackendView> backends = IntStream.range(0, size)
                .mapToObj(i -> random.nextDouble() < share ? idle("b" + i) : down("b" + i))
                .toList();
        Set<String> tried =
                IntStream.range(0, 3).mapToObj(_ -> "b" + random.nextInt(size)).collect(Collectors.toSet());
        Set<String> may = backends.stream()
                .filter(BackendView::available)
                .map(BackendView::id)
                .filter(id -> !tried.contains(id))
                .collect(Collectors.toSet());

        int picked = pick(name, backends, tried);

        if (may.isEmpty()) {
            assertThat(picked).isEqualTo(Rotation.NONE);
        } else {
            assertThat(backends.get(picked).id()).isIn(may);
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void usesEveryBackendHoweverManyThereAre(String name) {
        for (int size : List.of(1, 2, 3, 4, 1_000)) {
            List<BackendView> backends =
                    IntStream.range(0, size).mapToObj(i -> idle("b" + i)).toList();

            assertThat(shares(name, backends, 100 * size)).hasSize(size);
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void neverStarvesAnEqualBackendForEverAfterOneSlowReply(String name) {
        for (int size : List.of(2, 3, 4)) {
            List<BackendView> backends =
                    IntStream.range(0, size).mapToObj(i -> idle("b" + i)).toList();
            BackendLoad unlucky = backends.getFirst().load();
            backends.forEach(backend -> answer(backend.load(), Duration.ofMillis(10), Views.START_NANOS));
            answer(unlucky, Duration.ofSeconds(5), Views.START_NANOS);
            RoutingPolicy policy = RoutingPolicies.create(name);
            runFor(Duration.ofMinutes(2), policy, backends);
            long before = unlucky.answered();
            runFor(Duration.ofMinutes(1), policy, backends);

            // a fair share of 10 requests/s is 150 and more; a third of one shows that it is not shunned
            assertThat(unlucky.answered() - before).isGreaterThan(50);
        }
    }

    private void runFor(Duration time, RoutingPolicy policy, List<BackendView> backends) {
        for (long i = 0; i < time.toMillis() / 100; i++) {
            RoutingView view = views.advance(Duration.ofMillis(100)).of(backends);
            int picked = policy.rotate(view).pick(Request.at(random.nextLong(), view.nowNanos()), random);
            answer(backends.get(picked).load(), Duration.ofMillis(10), view.nowNanos());
        }
    }

    private static void answer(BackendLoad load, Duration latency, long nowNanos) {
        load.ended(load.began(0, 0), Outcome.ANSWERED, latency.toNanos(), nowNanos);
    }

    @ParameterizedTest
    @MethodSource("names")
    void allocatesNothingForAPick(String name) {
        List<BackendView> backends =
                IntStream.range(0, 100).mapToObj(i -> idle("b" + i)).toList();
        Rotation rotation = RoutingPolicies.create(name).rotate(views.of(backends));
        picks(rotation, 5_000);
        var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        picks(rotation, 5_000);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;

        assertThat(allocated).isLessThan(5_000); // less than the smallest object each
    }

    private int picks(Rotation rotation, int count) {
        int sum = 0;
        for (int i = 0; i < count; i++) {
            sum += rotation.pick(Request.PLAIN, random);
        }
        return sum;
    }

    private int pick(String name, List<BackendView> backends, Set<String> tried) {
        return RoutingPolicies.create(name).rotate(views.of(backends)).pick(Request.tried(tried), random);
    }

    private Map<String, Integer> shares(String name, List<BackendView> backends, int picks) {
        Rotation rotation = RoutingPolicies.create(name).rotate(views.of(backends));
        var shares = new HashMap<String, Integer>();
        for (int i = 0; i < picks; i++) {
            shares.merge(
                    backends.get(rotation.pick(Request.hashed(random.nextLong()), random))
                            .id(),
                    1,
                    Integer::sum);
        }
        return shares;
    }

    private List<Integer> sequence(String name, long seed) {
        List<BackendView> backends = List.of(idle("a"), idle("b"), idle("c"));
        Rotation rotation = RoutingPolicies.create(name).rotate(views.of(backends));
        var own = new SplittableRandom(seed);
        return IntStream.range(0, 100)
                .mapToObj(i -> rotation.pick(Request.hashed(i), own))
                .toList();
    }
}
