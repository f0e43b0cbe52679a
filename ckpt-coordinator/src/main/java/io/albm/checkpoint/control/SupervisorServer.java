// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.control;

import io.albm.checkpoint.protocol.Answer;
import io.albm.checkpoint.protocol.Command;
import io.albm.core.net.Transport;
import io.albm.core.node.NodeAddress;
import io.albm.core.wire.Frame;
import io.albm.core.wire.FrameServer;
import io.albm.core.wire.Reply;
import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import io.netty.buffer.Unpooled;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** Where a supervisor takes the coordinator's commands. */
public final class SupervisorServer implements AutoCloseable {
    private final String job;
    private final Function<Command, CompletableFuture<Answer>> commands;
    private final FrameServer server;

    /**
     * Binds and serves.
     *
     * @param commands must not block
     */
    public SupervisorServer(
            Transport transport, NodeAddress bind, String job, Function<Command, CompletableFuture<Answer>> commands) {
        this.job = job;
        this.commands = commands;
        this.server = FrameServer.bind(transport, bind, (frame, peer) -> handle(frame))
                .join();
    }

    /** Where it listens. */
    public NodeAddress address() {
        return server.address();
    }

    private CompletionStage<Reply> handle(Frame frame) {
        try {
            if (frame.type() != ControlFrames.COMMAND) {
                throw new WireException(WireCode.UNKNOWN_TYPE, "a supervisor takes commands only, type 0x30");
            }
            String named = ControlFrames.job(frame.header());
            if (!named.equals(job)) {
                throw new WireException(WireCode.NOT_FOUND, "job " + named + " is not here, only " + job);
            }
            return commands.apply(ControlFrames.read(frame.body(), Command.class))
                    .thenApply(answer ->
                            Reply.of(ControlFrames.ANSWER, Unpooled.EMPTY_BUFFER, ControlFrames.body(answer)));
        } finally {
            frame.release();
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
