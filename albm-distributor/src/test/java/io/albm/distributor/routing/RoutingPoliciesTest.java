// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.routing;

import static io.albm.distributor.routing.Views.backend;
import static io.albm.distributor.routing.Views.idle;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.albm.core.topology.PolicyNames;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class RoutingPoliciesTest {
    private final Views views = new Views(ReliefSettings.DEFAULT);
    private final RandomGenerator random = new SplittableRandom(1);

    @Test
    void refusesAnUnknownNameAndListsTheKnown() {
        assertThatThrownBy(() -> RoutingPolicies.create("round-robbin"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "routing policy 'round-robbin': expected one of " + String.join(", ", RoutingPolicies.names()));
    }

    @Test
    void knowsThePoliciesThatATopologyMayName() {
        assertThat(RoutingPolicies.names()).containsExactlyElementsOf(PolicyNames.all());
    }

    @Test
    void leastConnectionsCountsForTwoFrontendsOverTheSameBackends() {
        List<BackendView> backends =
                List.of(backend("a", true, inFlight(0), null), backend("b", true, inFlight(1), null));
        Rotation first = RoutingPolicies.create("least-connections").rotate(views.of(backends));
        Rotation second = RoutingPolicies.create("least-connections").rotate(views.of(backends));

        backends.getFirst().load().began(0, 0);
        backends.getFirst().load().began(0, 0);
        assertThat(first.pick(Request.PLAIN, random)).isEqualTo(1);
        assertThat(second.pick(Request.PLAIN, random)).isEqualTo(1);
    }

    @Test
    void roundRobinTakesTurns() {
        Rotation rotation =
                RoutingPolicies.create("round-robin").rotate(views.of(List.of(idle("a"), idle("b"), idle("c"))));

        assertThat(picks(rotation, 6)).containsExactly(0, 1, 2, 0, 1, 2);
    }

    @Test
    void leastConnectionsTakesTheBackendWithFewestInFlight() {
        Rotation rotation = RoutingPolicies.create("least-connections")
                .rotate(views.of(List.of(
                        backend("a", true, inFlight(3), null),
                        backend("b", true, inFlight(1), null),
                        backend("c", true, inFlight(2), null))));

        assertThat(rotation.pick(Request.PLAIN, random)).isEqualTo(1);
        assertThat(rotation.pick(Request.tried(Set.of("b")), random)).isEqualTo(2);
    }

    @Test
    void leastConnectionsReadsTheCountAtEachPick() {
        BackendLoad a = inFlight(0);
        Rotation rotation = RoutingPolicies.create("least-connections")
                .rotate(views.of(List.of(backend("a", true, a, null), backend("b", true, inFlight(1), null))));

        assertThat(rotation.pick(Request.PLAIN, random)).isZero();
        a.began(0, 0);
        a.began(0, 0);
        assertThat(rotation.pick(Request.PLAIN, random)).isEqualTo(1);
    }

    @Test
    void albmThresholdIsRoundRobinWhileNobodyIsShort() {
        Rotation rotation = RoutingPolicies.create("albm-threshold").rotate(views.memory(400, 400, 400));

        assertThat(picks(rotation, 6)).containsExactly(0, 1, 2, 0, 1, 2);
    }

    @Test
    void albmThresholdLeavesOutAServerBelowTheLevelUntilItsStateImproves() {
        RoutingPolicy policy = RoutingPolicies.create("albm-threshold");
        policy.rotate(views.memory(400, 90, 400));
        Rotation relieved = policy.rotate(views.advance(Duration.ofMillis(250)).memory(400, 90, 400));

        assertThat(picks(relieved, 100)).doesNotContain(1);
        assertThat(relieved.relieved()).containsOnlyKeys("b1").hasEntrySatisfying("b1", relief -> {
            assertThat(relief.counter()).isEqualTo("available-memory");
            assertThat(relief.value()).isEqualTo(90.0 * Views.MIB);
        });

        policy.rotate(views.advance(Duration.ofSeconds(3)).memory(400, 200, 400));
        policy.rotate(views.advance(Duration.ofMillis(250)).memory(400, 200, 400));
        Rotation back = policy.rotate(views.advance(Duration.ofSeconds(6)).memory(400, 200, 400));

        assertThat(back.relieved()).isEmpty();
        assertThat(picks(back, 6)).contains(1);
    }

    @Test
    void albmThresholdGivesAReturningServerASmallShareFirst() {
        RoutingPolicy policy = RoutingPolicies.create("albm-threshold");
        policy.rotate(views.memory(400, 90, 400));
        policy.rotate(views.advance(Duration.ofMillis(250)).memory(400, 90, 400));
        policy.rotate(views.advance(Duration.ofSeconds(3)).memory(400, 200, 400));
        Rotation back = policy.rotate(views.advance(Duration.ofMillis(250)).memory(400, 200, 400));

        long ofReturning = picks(back, 3_000).stream().filter(i -> i == 1).count();

        assertThat(ofReturning).isBetween(50L, 200L);
    }

    private static BackendLoad inFlight(int requests) {
        var load = new BackendLoad();
        for (int i = 0; i < requests; i++) {
            load.began(0, 0);
        }
        return load;
    }

    private List<Integer> picks(Rotation rotation, int count) {
        var picks = new ArrayList<Integer>();
        for (int i = 0; i < count; i++) {
            picks.add(rotation.pick(Request.PLAIN, random));
        }
        return picks;
    }
}
