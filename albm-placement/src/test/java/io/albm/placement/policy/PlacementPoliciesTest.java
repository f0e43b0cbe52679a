// SPDX-License-Identifier: Apache-2.0
package io.albm.placement.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.albm.core.node.NodeId;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PlacementPoliciesTest {
    private static final long MIB = 1 << 20;
    private static final long GIB = 1 << 30;

    private final PlacementPolicy spread = PlacementPolicies.named("spread");
    private final PlacementPolicy interferenceAware = PlacementPolicies.named("interference-aware");

    @Test
    void spreadPutsFiftyContainersTenToEachOfFiveWorkers() {
        List<NodeLoad> workers = List.of(
                NodeLoad.empty(new NodeId("w1"), GIB),
                NodeLoad.empty(new NodeId("w2"), GIB),
                NodeLoad.empty(new NodeId("w3"), GIB),
                NodeLoad.empty(new NodeId("w4"), GIB),
                NodeLoad.empty(new NodeId("w5"), GIB));
        List<Container> wordCounters = Collections.nCopies(50, Container.unmeasured("wordcount", 64 * MIB));
        PlacementPlan plan = PlacementPlan.of(spread, wordCounters, workers);
        assertThat(plan.isComplete()).isTrue();
        assertThat(plan.nodes())
                .allSatisfy(node -> assertThat(node.containers()).hasSize(10));
    }

    @Test
    void spreadCannotSeeTheStressThatInterferenceAwareAvoids() {
        NodeLoad stressed =
                NodeLoad.empty(new NodeId("a-stressed"), GIB).with(new Container("stress", 64 * MIB, 900 * MIB, 0));
        NodeLoad busy = NodeLoad.empty(new NodeId("b-busy"), GIB)
                .with(Container.unmeasured("one", 100 * MIB))
                .with(Container.unmeasured("two", 100 * MIB));
        Container wordCounter = new Container("wordcount", 64 * MIB, 200 * MIB, 0);

        assertThat(nodeOf(spread.place(wordCounter, List.of(stressed, busy)))).isEqualTo("a-stressed");
        assertThat(nodeOf(interferenceAware.place(wordCounter, List.of(stressed, busy))))
                .isEqualTo("b-busy");
    }

    @Test
    void interferenceAwareAvoidsANodeThatWaitsThoughItsNumbersLookGood() {
        NodeLoad waiting = new NodeLoad(new NodeId("a"), GIB, 0, 0.2, List.of());
        NodeLoad fuller = new NodeLoad(new NodeId("b"), GIB, 500 * MIB, 0, List.of());
        assertThat(nodeOf(interferenceAware.place(Container.unmeasured("c", 64 * MIB), List.of(waiting, fuller))))
                .isEqualTo("b");
    }

    @Test
    void aContainerThatWaitedForMemoryIsTakenToWantMoreThanItHad() {
        Container tight = new Container("short", 64 * MIB, 900 * MIB, 0.2);
        NodeLoad small = NodeLoad.empty(new NodeId("a-small"), GIB);
        NodeLoad large = new NodeLoad(new NodeId("b-large"), 4 * GIB, 2800 * MIB, 0, List.of());
        assertThat(nodeOf(interferenceAware.place(tight, List.of(small, large))))
                .isEqualTo("b-large");
    }

    @Test
    void noiseBelowOnePercentDoesNotDecide() {
        NodeLoad quiet = new NodeLoad(new NodeId("a"), GIB, 600 * MIB, 0, List.of());
        NodeLoad nearlyQuiet = new NodeLoad(new NodeId("b"), GIB, 100 * MIB, 0.004, List.of());
        assertThat(nodeOf(interferenceAware.place(Container.unmeasured("c", MIB), List.of(quiet, nearlyQuiet))))
                .isEqualTo("b");
    }

    @Test
    void aRefusalNamesWhatIsNeededAndWhatThereIs() {
        Placement placement =
                spread.place(Container.unmeasured("big", 2 * GIB), List.of(NodeLoad.empty(new NodeId("w1"), GIB)));
        assertThat(placement.reason()).isEqualTo("needs 2048 MiB, the freest of 1 nodes has 1024 MiB");
    }

    @Test
    void anUnknownNameListsTheKnown() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PlacementPolicies.named("sprad"))
                .withMessageContaining("interference-aware, spread");
    }

    @Test
    void impossibleContainersAndNodesAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new Container(" ", 1, 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Container("a", -1, 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new Container("a", 1, 1, 1.5));
        assertThatIllegalArgumentException().isThrownBy(() -> NodeLoad.empty(new NodeId("n"), -1));
    }

    private static String nodeOf(Placement placement) {
        return switch (placement) {
            case Placement.Placed placed -> placed.node().value();
            case Placement.Refused refused -> throw new AssertionError(refused.reason());
        };
    }
}
