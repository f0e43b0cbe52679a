// SPDX-License-Identifier: Apache-2.0
package io.albm.placement.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.node.NodeId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every registered policy must keep, over random clusters from printed seeds. */
final class PlacementPolicyContractTest {
    private static final int SEEDS = 300;
    private static final long MIB = 1 << 20;

    static List<String> names() {
        return PlacementPolicies.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void promisesNeverExceedCapacity(String name) {
        for (int seed = 0; seed < SEEDS; seed++) {
            for (NodeLoad node : plan(name, seed).nodes()) {
                long promised = node.containers().stream()
                        .mapToLong(Container::reservedBytes)
                        .sum();
                assertThat(node.usedByOthersBytes() + promised)
                        .as("seed %d, %s", seed, node)
                        .isLessThanOrEqualTo(node.capacityBytes());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void refusesOnlyWhatFitsNowhere(String name) {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            List<NodeLoad> nodes = plan(name, seed).nodes();
            Container container = container(random, "extra");
            boolean fits = nodes.stream().anyMatch(node -> node.hasRoomFor(container));
            Placement placement = PlacementPolicies.named(name).place(container, nodes);
            assertThat(placement instanceof Placement.Placed)
                    .as("seed %d", seed)
                    .isEqualTo(fits);
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void theOrderOfNodesDoesNotMatter(String name) {
        for (int seed = 0; seed < SEEDS; seed++) {
            List<NodeLoad> nodes = plan(name, seed).nodes();
            List<NodeLoad> shuffled = new ArrayList<>(nodes);
            Collections.shuffle(shuffled, new Random(seed));
            Container container = container(new Random(seed), "extra");
            assertThat(PlacementPolicies.named(name).place(container, shuffled))
                    .as("seed %d", seed)
                    .isEqualTo(PlacementPolicies.named(name).place(container, nodes));
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyContainerIsAnsweredOnceAndPlacedWhereThePlanSays(String name) {
        for (int seed = 0; seed < SEEDS; seed++) {
            PlacementPlan plan = plan(name, seed);
            long placed = plan.steps().stream()
                    .filter(step -> step.placement() instanceof Placement.Placed)
                    .count();
            long held = plan.nodes().stream()
                    .mapToLong(node -> node.containers().size())
                    .sum();
            assertThat(held).as("seed %d", seed).isEqualTo(placed);
            assertThat(plan.steps()).hasSize(20);
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void withoutNodesEverythingIsRefused(String name) {
        Placement placement = PlacementPolicies.named(name).place(Container.unmeasured("a", 1), List.of());
        assertThat(placement).isInstanceOf(Placement.Refused.class);
    }

    private static PlacementPlan plan(String name, int seed) {
        Random random = new Random(seed);
        List<NodeLoad> nodes = new ArrayList<>();
        for (int i = 0; i < 1 + random.nextInt(5); i++) {
            long capacity = random.nextLong(2048) * MIB;
            nodes.add(new NodeLoad(
                    new NodeId("node-" + i),
                    capacity,
                    random.nextLong(capacity + 1),
                    random.nextInt(4) == 0 ? random.nextDouble() : 0,
                    List.of()));
        }
        List<Container> containers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            containers.add(container(random, "container-" + i));
        }
        return PlacementPlan.of(PlacementPolicies.named(name), containers, nodes);
    }

    private static Container container(Random random, String name) {
        return new Container(name, random.nextLong(512) * MIB, random.nextLong(1024) * MIB, random.nextInt(3) * 0.3);
    }
}
