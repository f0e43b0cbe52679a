// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.albm.core.node.NodeId;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class StripeLayoutTest {
    private static final int UNIT = 64 * 1024;

    static Stream<Arguments> widths() {
        return IntStream.rangeClosed(1, 8)
                .boxed()
                .flatMap(k -> IntStream.range(0, 3).mapToObj(m -> Arguments.of(k, m)));
    }

    @ParameterizedTest
    @MethodSource("widths")
    void putsTheUnitsOfAStripeOnDistinctNodes(int dataUnits, int parityUnits) {
        StripeLayout layout = layout(dataUnits, parityUnits);
        for (long stripe = 0; stripe < 50; stripe++) {
            long s = stripe;
            assertThat(IntStream.range(0, layout.geometry().width()).mapToObj(unit -> layout.nodeOf(s, unit)))
                    .doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest
    @MethodSource("widths")
    void putsConsecutiveDataUnitsOnDistinctNodesAcrossStripes(int dataUnits, int parityUnits) {
        StripeLayout layout = layout(dataUnits, parityUnits);
        int width = layout.geometry().width();
        for (long first = 0; first < 100; first++) {
            assertThat(LongStream.range(first, first + width)
                            .mapToObj(i -> layout.nodeOf(i / dataUnits, (int) (i % dataUnits))))
                    .doesNotHaveDuplicates();
        }
    }

    @ParameterizedTest
    @MethodSource("widths")
    void findsTheUnitThatANodeHolds(int dataUnits, int parityUnits) {
        StripeLayout layout = layout(dataUnits, parityUnits);
        for (long stripe = 0; stripe < 50; stripe++) {
            for (int unit = 0; unit < layout.geometry().width(); unit++) {
                assertThat(layout.unitOn(layout.nodeOf(stripe, unit), stripe)).isEqualTo(unit);
            }
        }
    }

    @Test
    void movesParityOneNodeFurtherWithEveryStripe() {
        StripeLayout layout = layout(4, 1);
        assertThat(LongStream.range(0, 5).mapToObj(stripe -> layout.nodeOf(stripe, 4)))
                .containsExactlyInAnyOrderElementsOf(layout.nodes());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void givesEachNodeAsMuchOfBothParities(int dataUnits) {
        StripeLayout layout = layout(dataUnits, 2);
        int width = dataUnits + 2;
        for (NodeId node : layout.nodes()) {
            assertThat(LongStream.range(0, width).filter(stripe -> layout.unitOn(node, stripe) >= dataUnits))
                    .hasSize(2);
        }
    }

    @Test
    void keepsCopiesWhereTheUnitsAreThatEqualEachOther() {
        StripeLayout layout = layout(4, 2);
        StripeLayout copied = layout.copied(FailureDomain::of);
        assertThat(copied.nodes()).containsExactly(layout.nodeOf(0, 0), layout.nodeOf(0, 4), layout.nodeOf(0, 5));
        assertThat(copied.geometry()).isEqualTo(new StripeGeometry(1, 2, UNIT));
    }

    @Test
    void countsTheBlocksOfANodeAsTheyAreLaid() {
        Random random = new Random(7);
        for (int i = 0; i < 300; i++) {
            StripeLayout layout = layout(1 + random.nextInt(6), random.nextInt(3));
            long length = random.nextLong(20L * UNIT);
            for (NodeId node : layout.nodes()) {
                assertThat(layout.blocksOn(node, length)).isEqualTo(laid(layout, node, length));
            }
        }
    }

    private static long laid(StripeLayout layout, NodeId node, long length) {
        StripeGeometry geometry = layout.geometry();
        return LongStream.range(0, geometry.stripes(length))
                .filter(stripe ->
                        geometry.unitLength(geometry.bytesInStripe(length, stripe), layout.unitOn(node, stripe)) > 0)
                .count();
    }

    @Test
    void movesOnlyTheLostNodesUnitsToAReplacement() {
        StripeLayout before = layout(4, 1);
        NodeId lost = before.nodes().get(2);
        StripeLayout after = before.replace(lost, new NodeId("fresh"));
        for (long stripe = 0; stripe < 20; stripe++) {
            for (int unit = 0; unit < 5; unit++) {
                NodeId node = before.nodeOf(stripe, unit);
                assertThat(after.nodeOf(stripe, unit)).isEqualTo(node.equals(lost) ? new NodeId("fresh") : node);
            }
        }
    }

    @Test
    void refusesANodeTwice() {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        new StripeLayout(new StripeGeometry(1, 1, UNIT), List.of(new NodeId("n-1"), new NodeId("n-1"))))
                .withMessageContaining("2 distinct nodes");
    }

    private static StripeLayout layout(int dataUnits, int parityUnits) {
        return new StripeLayout(
                new StripeGeometry(dataUnits, parityUnits, UNIT),
                IntStream.range(0, dataUnits + parityUnits)
                        .mapToObj(i -> new NodeId("n-" + i))
                        .toList());
    }
}
