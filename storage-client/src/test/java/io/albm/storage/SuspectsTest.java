// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.node.NodeId;
import org.junit.jupiter.api.Test;

class SuspectsTest {
    private static final NodeId NODE = new NodeId("n-1");
    private static final NodeId OTHER = new NodeId("n-2");

    private final Suspects suspects = new Suspects();

    private int readsWithout(NodeId node) {
        int reads = 0;
        while (suspects.isLeftOut(node)) {
            reads++;
        }
        return reads;
    }

    @Test
    void leavesOutANodeThatCannotBeReachedForAWhile() {
        suspects.unreachable(NODE);
        assertThat(suspects.isLeftOut(OTHER)).isFalse();
        assertThat(readsWithout(NODE)).isEqualTo(255);
    }

    @Test
    void leavesOutANodeThatIsSlowThreeTimesInARow() {
        suspects.slow(NODE);
        suspects.slow(NODE);
        suspects.answered(NODE);
        suspects.slow(NODE);
        suspects.slow(NODE);
        assertThat(suspects.isLeftOut(NODE)).isFalse();
        suspects.slow(NODE);
        assertThat(suspects.isLeftOut(NODE)).isTrue();
    }

    @Test
    void leavesItOutAgainAtOnceIfItIsStillSlow() {
        suspects.unreachable(NODE);
        readsWithout(NODE);
        suspects.slow(NODE);
        assertThat(suspects.isLeftOut(NODE)).isTrue();
    }

    @Test
    void leavesItOutNoMoreOnceItHasAnswered() {
        suspects.unreachable(NODE);
        suspects.unreachable(OTHER);
        suspects.answered(NODE);
        assertThat(suspects.isLeftOut(NODE)).isFalse();
        assertThat(suspects.isLeftOut(OTHER)).isTrue();
        suspects.slow(NODE);
        assertThat(suspects.isLeftOut(NODE)).isFalse();
    }
}
