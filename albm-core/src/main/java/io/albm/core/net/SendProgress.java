// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;

/**
 * Whether the other side of a connection takes what waits for it. What it took it has acknowledged ({@link AcknowledgedBytes}); where the
 * kernel does not say, it is what has left the channel. Confined to its event loop.
 */
public final class SendProgress {
    private final Channel channel;
    private boolean watches;
    private long watchedBytes;

    public SendProgress(Channel channel) {
        this.channel = channel;
    }

    /** Whether nothing waits to be taken. Parts of files have no bytes in what the channel says is pending. */
    public boolean isDone() {
        ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
        return waiting == null || (waiting.isEmpty() && waiting.totalPendingWriteBytes() == 0);
    }

    /** Begins to watch, if anything waits. */
    public void watch() {
        watches = !isDone();
        if (watches) {
            watchedBytes = bytes();
        }
    }

    /** Whether some was taken since this was asked last, or the watch began; nothing may have been added meanwhile. */
    public boolean isMoving() {
        return takenBytes() > 0;
    }

    /** How many bytes were taken since this was asked last, or the watch began; nothing may have been added meanwhile. */
    public long takenBytes() {
        long taken = watches ? bytes() - watchedBytes : 0;
        watch();
        return taken;
    }

    private long bytes() {
        return AcknowledgedBytes.areKnown(channel) ? AcknowledgedBytes.of(channel) : -waitingBytes();
    }

    /** A buffer that is taken in part still counts whole in what the channel says is pending. */
    private long waitingBytes() {
        ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
        return waiting == null ? 0 : waiting.totalPendingWriteBytes() - waiting.currentProgress();
    }
}
