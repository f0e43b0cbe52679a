// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import java.util.concurrent.TimeUnit;

/**
 * Whether the other side of a connection takes what waits for it. What it took it has acknowledged ({@link AcknowledgedBytes}); where the
 * kernel does not say, it is what has left the channel. Confined to its event loop.
 *
 * <p>The kernel is asked now and then, as asking it in each event costs a fast connection more than a tenth of its speed. So what was taken shortly
 * before a watch began counts, too: who takes no more is seen to do so one question later.
 */
public final class SendProgress {
    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    private final Channel channel;
    private boolean watches;
    private long watchedBytes;
    private long askedAt = System.nanoTime() - FRESH_NANOS;

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
        if (watches && !isFresh()) {
            look();
        }
    }

    private boolean isFresh() {
        return AcknowledgedBytes.areKnown(channel) && System.nanoTime() - askedAt < FRESH_NANOS;
    }

    private void look() {
        watchedBytes = bytes();
        askedAt = System.nanoTime();
    }

    /** Whether some was taken since this was asked last, or the watch began; nothing may have been added meanwhile. */
    public boolean isMoving() {
        return takenBytes() > 0;
    }

    /** How many bytes were taken since this was asked last, or the watch began; nothing may have been added meanwhile. */
    public long takenBytes() {
        if (!watches) {
            watch();
            return 0;
        }
        long before = watchedBytes;
        look();
        watches = !isDone();
        return watchedBytes - before;
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
