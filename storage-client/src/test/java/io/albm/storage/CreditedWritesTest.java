// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.core.node.NodeId;
import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Nodes that grant what they are asked for, and answer writes as the test says. */
class CreditedWritesTest {
    private static final NodeId NODE = new NodeId("n-1");
    private static final NodeId OTHER = new NodeId("n-2");
    private static final int BYTES = 100_000;
    private final WireException broken = new WireException(WireCode.UNAVAILABLE, "connection lost");

    private final List<String> calls = new ArrayList<>();
    private final Queue<WireException> refusals = new ArrayDeque<>();
    private final Queue<WireException> askRefusals = new ArrayDeque<>();
    private long ahead;

    private final CreditedWrites writes = new CreditedWrites(
            new Sender(7, false),
            new CreditedWrites.Nodes() {
                @Override
                public CompletableFuture<StorageReply.Granted> ask(NodeId node, StorageRequest.Ask ask) {
                    calls.add("ask " + node);
                    WireException refusal = askRefusals.poll();
                    return refusal == null
                            ? CompletableFuture.completedFuture(new StorageReply.Granted(ask.bytes(), 0, 0))
                            : CompletableFuture.failedFuture(refusal);
                }

                @Override
                public CompletableFuture<StorageReply.Written> write(
                        NodeId node, StorageRequest.Write write, ByteBuf body) {
                    calls.add("write " + node);
                    assertThat(write.block().matches(body)).isTrue();
                    body.release();
                    WireException refusal = refusals.poll();
                    return refusal == null
                            ? CompletableFuture.completedFuture(new StorageReply.Written(ahead))
                            : CompletableFuture.failedFuture(refusal);
                }
            },
            Duration.ofSeconds(10),
            () -> 0);

    private CompletableFuture<Void> write(NodeId node) {
        ByteBuf body = Unpooled.buffer(BYTES).writeZero(BYTES);
        BlockHeader header = BlockHeader.of(new BlockId(new Generation(1, 1), 0, 0), body);
        CompletableFuture<Void> written = writes.write(node, header, WriteMode.NEW, null, body);
        assertThat(body.refCnt()).as("references of the body").isZero();
        return written;
    }

    @Test
    void asksEachNodeBeforeItSendsUnlessAnAnswerHasBroughtCredit() {
        assertThat(write(NODE)).isCompleted();
        ahead = BYTES;
        assertThat(write(OTHER)).isCompleted();
        assertThat(write(NODE)).isCompleted();
        assertThat(write(NODE)).isCompleted();
        assertThat(calls)
                .containsExactly("ask n-1", "write n-1", "ask n-2", "write n-2", "ask n-1", "write n-1", "write n-1");
    }

    @Test
    void sendsABlockAgainWithNewCreditWhoseCreditWasVoid() {
        ahead = 10 * BYTES;
        assertThat(write(NODE)).isCompleted();
        refusals.add(new WireException(WireCode.BUSY, "no credit"));
        assertThat(write(NODE)).isCompleted();
        assertThat(calls).containsExactly("ask n-1", "write n-1", "write n-1", "ask n-1", "write n-1");
    }

    @Test
    void givesUpANodeThatRefusesWhatItHasGranted() {
        for (int i = 0; i < 10; i++) {
            refusals.add(new WireException(WireCode.BUSY, "no credit"));
        }
        assertThat(write(NODE)).isCompletedExceptionally();
        assertThat(refusals).hasSize(6);
    }

    @Test
    void sendsWhatWasUnderWayWhenAConnectionBrokeOnceMore() {
        refusals.add(broken);
        assertThat(write(NODE)).isCompleted();
        askRefusals.add(broken);
        assertThat(write(NODE)).isCompleted();
        assertThat(calls)
                .containsExactly("ask n-1", "write n-1", "ask n-1", "write n-1", "ask n-1", "ask n-1", "write n-1");
    }

    @Test
    void givesUpANodeToWhichTheSecondConnectionBreaksToo() {
        refusals.add(broken);
        askRefusals.add(new WireException(WireCode.BUSY, "too many connections"));
        refusals.add(broken);
        assertThat(write(NODE)).isCompletedExceptionally();
        assertThat(calls).hasSize(5);
        assertThat(refusals).isEmpty();
    }

    @Test
    void sendsNothingAgainThatFailedForAnotherReason() {
        refusals.add(new WireException(WireCode.NO_SPACE, "full"));
        assertThat(write(NODE)).isCompletedExceptionally();
        assertThat(calls).containsExactly("ask n-1", "write n-1");
    }
}
