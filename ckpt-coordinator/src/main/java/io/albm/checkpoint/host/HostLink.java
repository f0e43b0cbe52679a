// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.host;

import io.albm.checkpoint.control.ControlFrames;
import io.albm.core.node.NodeAddress;
import io.albm.core.wire.Frame;
import io.albm.core.wire.FrameClient;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** The way from a supervisor to a host. */
@FunctionalInterface
interface HostLink {
    /** Sends a command. The future fails, within a bound, if no answer comes. */
    CompletableFuture<HostAnswer> tell(HostCommand command);

    /** Over the network; a host has two seconds to answer. */
    static HostLink wire(FrameClient client, NodeAddress address, String job) {
        return command -> client.call(
                        address,
                        ControlFrames.HOST_COMMAND,
                        ControlFrames.header(job),
                        ControlFrames.body(command),
                        Duration.ofSeconds(2))
                .thenApply(HostLink::answer);
    }

    private static HostAnswer answer(Frame frame) {
        try {
            return ControlFrames.read(frame.body(), HostAnswer.class);
        } finally {
            frame.release();
        }
    }
}
