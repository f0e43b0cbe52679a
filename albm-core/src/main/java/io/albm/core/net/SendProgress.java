// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;

/** Whether the other side of a connection takes what was written to it. Confined to its event loop. */
public final class SendProgress {
    private final Channel channel;
    private long watchedBytes;

    public SendProgress(Channel channel) {
        this.channel = channel;
    }

    /** Whether nothing waits to be taken. Parts of files have no bytes in what the channel says is pending. */
    public boolean isDone() {
        ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
        return waiting == null || (waiting.isEmpty() && waiting.totalPendingWriteBytes() == 0);
    }

    /** Begins to watch. */
    public void watch() {
        watchedBytes = waitingBytes();
    }

    /** Whether some was taken since this was asked last, or the watch began; nothing may have been added meanwhile. */
    public boolean isMoving() {
        return takenBytes() > 0;
    }

    /** How many bytes were taken since this was asked last, or the watch began; nothing may have been added meanwhile. */
    public long takenBytes() {
        long before = watchedBytes;
        watch();
        return before - watchedBytes;
    }

    /** A buffer that is taken in part still counts whole in what the channel says is pending. */
    private long waitingBytes() {
        ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
        return waiting == null ? 0 : waiting.totalPendingWriteBytes() - waiting.currentProgress();
    }
}
