// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import static io.albm.distributor.routing.Views.down;
import static io.albm.distributor.routing.Views.idle;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
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
            counts[policy.rotate(views.of(backends)).pick(Request.PLAIN, random)]++;
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
                        picked.add(rotation.pick(Request.PLAIN, own));
                    }
                }))
                .toList();
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(picked).containsExactlyInAnyOrder(0, 2);
    }

    private int pick(String name, List<BackendView> backends, Set<String> tried) {
        return RoutingPolicies.create(name).rotate(views.of(backends)).pick(Request.tried(tried), random);
    }

    private Map<String, Integer> shares(String name, List<BackendView> backends, int picks) {
        Rotation rotation = RoutingPolicies.create(name).rotate(views.of(backends));
        var shares = new HashMap<String, Integer>();
        for (int i = 0; i < picks; i++) {
            shares.merge(backends.get(rotation.pick(Request.PLAIN, random)).id(), 1, Integer::sum);
        }
        return shares;
    }

    private List<Integer> sequence(String name, long seed) {
        List<BackendView> backends = List.of(idle("a"), idle("b"), idle("c"));
        Rotation rotation = RoutingPolicies.create(name).rotate(views.of(backends));
        var own = new SplittableRandom(seed);
        return IntStream.range(0, 100)
                .mapToObj(i -> rotation.pick(Request.PLAIN, own))
                .toList();
    }
}
