// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.core.net.Closing;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.socket.DuplexChannel;
import java.util.concurrent.TimeUnit;

/**
 * How far a connection is on its way to its end, from {@linkplain #isNear near} (requests that have come are still answered)
 * over {@linkplain #hasBegun begun} (what was written is still sent) to closing; and how it is closed. Confined to its event
 * loop.
 */
final class Ending {
    private static final int LINGER_SECONDS = 2;

    private enum Phase {
        FAR,
        NEAR,
        BEGUN,
        CLOSING
    }

    private final DuplexChannel channel;
    private final Outbox outbox;
    private Phase phase = Phase.FAR;
    private boolean unsure;

    Ending(Channel channel, Outbox outbox) {
        this.channel = (DuplexChannel) channel;
        this.outbox = outbox;
    }

    /** No more requests are expected. */
    void approach() {
        if (phase == Phase.FAR) {
            phase = Phase.NEAR;
        }
    }

    boolean isNear() {
        return phase == Phase.NEAR;
    }

    /**
     * No request is answered any more.
     *
     * @param inUnsurePlace whether the client may have more to say that will not be understood
     */
    void begin(boolean inUnsurePlace) {
        unsure |= inUnsurePlace;
        if (phase != Phase.CLOSING) {
            phase = Phase.BEGUN;
        }
    }

    boolean hasBegun() {
        return phase.compareTo(Phase.BEGUN) >= 0;
    }

    boolean isClosing() {
        return phase == Phase.CLOSING;
    }

    /** The channel is closed already. */
    void closed() {
        phase = Phase.CLOSING;
    }

    /**
     * Closes after all that was written is sent.
     *
     * @param midway whether the client may be amid saying something
     */
    void close(boolean midway) {
        phase = Phase.CLOSING;
        outbox.flush();
        if (unsure || midway) {
            closeInTwoSteps();
        } else if (outbox.isDone()) {
            Closing.atOnce(channel);
        } else {
            channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(ChannelFutureListener.CLOSE);
        }
    }

    /**
     * Closes our side first, and the other one a while later: closing at once with unread bytes would reset the connection
     * and take the last reply away from the client.
     */
    private void closeInTwoSteps() {
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(sent -> {
            channel.shutdownOutput();
            var _ = channel.eventLoop().schedule(() -> channel.close(), LINGER_SECONDS, TimeUnit.SECONDS);
        });
    }
}
