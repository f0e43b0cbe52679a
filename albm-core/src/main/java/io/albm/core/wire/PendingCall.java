// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import io.netty.util.concurrent.Future;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A request on its way and the future of its answer. After {@link #answer()} was handed out, confined to one event loop. */
final class PendingCall {

    private final Frame request;
    private final CompletableFuture<Frame> answer = new CompletableFuture<>();
    private final long requestBytes;
    private @Nullable Future<?> deadline;
    private long sentNanos;

    PendingCall(Frame request) {
        this.request = request;
        this.requestBytes =
                request.header().readableBytes() + (long) request.body().readableBytes();
    }

    Frame request() {
        return request;
    }

    CompletableFuture<Frame> answer() {
        return answer;
    }

    long requestBytes() {
        return requestBytes;
    }

    /** Fails a call whose request was never written. */
    void refuse(WireException reason) {
        request.release();
        fail(reason);
    }

    void sent(long nowNanos, Future<?> deadlineTask) {
        sentNanos = nowNanos;
        deadline = deadlineTask;
    }

    long sentNanos() {
        return sentNanos;
    }

    void fail(WireException reason) {
        cancelDeadline();
        answer.completeExceptionally(reason);
    }

    /** Completes with the answer, or releases it if nobody waits any more. */
    void complete(Frame reply) {
        cancelDeadline();
        if (reply.type() == Frame.ERROR) {
            answer.completeExceptionally(ErrorFrames.decode(reply));
            reply.release();
        } else if (!answer.complete(reply)) {
            reply.release();
        }
    }

    private void cancelDeadline() {
        if (deadline != null) {
            deadline.cancel(false);
        }
    }
}
