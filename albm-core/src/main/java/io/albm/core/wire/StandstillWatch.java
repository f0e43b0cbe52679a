// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import io.netty.channel.ChannelHandlerContext;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a connection whose sender stopped in the middle of a frame: there is memory for the rest of it, which others want. A
 * sender that waits longer for the answer than the patience is given as long, {@value #MOST_MILLIS} ms at most: its network may be
 * so full that TCP, which doubles its pause with each segment that is lost again, is silent for many seconds. A connection that is
 * not read meanwhile is left alone. Confined to its event loop.
 */
final class StandstillWatch {

    private static final Logger log = LoggerFactory.getLogger(StandstillWatch.class);
    private static final long NOT_READ = -1;

    /** The deadline of a frame is its sender's word; memory is not held longer for it. */
    static final long MOST_MILLIS = 60_000;

    private final FrameDecoder decoder;
    private final long patienceMillis;
    private boolean watching;
    private long stoodMillis;

    /** What had arrived at the last look, or {@link #NOT_READ} for some time since. */
    private long lookedAtBytes;

    StandstillWatch(FrameDecoder decoder, Duration patience) {
        this.decoder = decoder;
        this.patienceMillis = patience.toMillis();
    }

    /** Some bytes have arrived. */
    void arrived(ChannelHandlerContext ctx) {
        if (!watching && decoder.isTorn()) {
            watching = true;
            stoodMillis = 0;
            lookLater(ctx);
        }
    }

    /** The connection was not read until now, and nobody said when a frame began meanwhile. */
    void readAgain(ChannelHandlerContext ctx) {
        lookedAtBytes = NOT_READ;
        arrived(ctx);
    }

    private void lookLater(ChannelHandlerContext ctx) {
        lookedAtBytes = decoder.arrivedBytes();
        ctx.executor().schedule(() -> look(ctx), patienceMillis, TimeUnit.MILLISECONDS);
    }

    private void look(ChannelHandlerContext ctx) {
        if (!decoder.isTorn()) {
            watching = false;
            return;
        }
        boolean stands = decoder.arrivedBytes() == lookedAtBytes
                && ctx.channel().config().isAutoRead();
        stoodMillis = stands ? stoodMillis + patienceMillis : 0;
        if (stoodMillis >= Math.max(patienceMillis, Math.min(decoder.tornDeadlineMillis(), MOST_MILLIS))) {
            log.warn(
                    "connection from {} closed: nothing more came of a frame for {} ms",
                    ctx.channel().remoteAddress(),
                    stoodMillis);
            ctx.close();
        } else {
            lookLater(ctx);
        }
    }
}
