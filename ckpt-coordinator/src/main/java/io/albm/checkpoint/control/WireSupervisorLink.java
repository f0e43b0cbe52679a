// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.control;

import io.albm.checkpoint.protocol.Answer;
import io.albm.checkpoint.protocol.Command;
import io.albm.checkpoint.protocol.SupervisorLink;
import io.albm.core.node.NodeAddress;
import io.albm.core.wire.Frame;
import io.albm.core.wire.FrameClient;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Calls a job's supervisor, wherever it is now. */
public final class WireSupervisorLink implements SupervisorLink {
    private static final Duration DEADLINE = Duration.ofSeconds(2);

    private final FrameClient client;
    private final String job;
    private final Supplier<Optional<NodeAddress>> address;

    public WireSupervisorLink(FrameClient client, String job, Supplier<Optional<NodeAddress>> address) {
        this.client = client;
        this.job = job;
        this.address = address;
    }

    @Override
    public CompletableFuture<Answer> tell(Command command) {
        return address.get()
                .map(to -> client.call(
                                to,
                                ControlFrames.COMMAND,
                                ControlFrames.header(job),
                                ControlFrames.body(command),
                                DEADLINE)
                        .thenApply(WireSupervisorLink::answer))
                .orElseGet(() -> CompletableFuture.failedFuture(
                        new IllegalStateException("job " + job + " has no supervisor now")));
    }

    private static Answer answer(Frame frame) {
        try {
            return ControlFrames.read(frame.body(), Answer.class);
        } finally {
            frame.release();
        }
    }
}
