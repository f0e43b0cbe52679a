// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.durability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.albm.storage.StripeGeometry;
import org.junit.jupiter.api.Test;

class MovementTest {
    @Test
    void aNodeThatComesOrGoesMovesAFairShareToOrFromAllOthers() {
        int nodes = 40;
        StripeGeometry geometry = Layout.striped(4, 2).geometry();
        Movement movement = Movement.of(PlacedSegments.place(nodes, 20_000, 6, 1), nodes, geometry);

        assertThat(movement.joined() * (nodes + 1)).isCloseTo(1, within(0.06));
        assertThat(movement.left() * nodes).isCloseTo(1, within(0.06));
        assertThat(movement.busiestTaker()).isBetween(1.0, 1.6);
    }
}
