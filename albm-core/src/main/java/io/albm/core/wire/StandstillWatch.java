// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import io.netty.channel.ChannelHandlerContext;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes a connection whose sender stopped in the middle of a frame: there is memory for the rest of it, which others want. A
 * connection that is not read meanwhile is left alone. Confined to its event loop.
 */
final class StandstillWatch {

    private static final Logger log = LoggerFactory.getLogger(StandstillWatch.class);
    private static final long NOT_READ = -1;

    private final FrameDecoder decoder;
    private final Duration most;
    private boolean watching;

    /** What had arrived at the last look, or {@link #NOT_READ} for some time since. */
    private long lookedAtBytes;

    StandstillWatch(FrameDecoder decoder, Duration most) {
        this.decoder = decoder;
        this.most = most;
    }

    /** Some bytes have arrived. */
    void arrived(ChannelHandlerContext ctx) {
        if (!watching && decoder.isTorn()) {
            watching = true;
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
        ctx.executor().schedule(() -> look(ctx), most.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void look(ChannelHandlerContext ctx) {
        if (!decoder.isTorn()) {
            watching = false;
        } else if (decoder.arrivedBytes() == lookedAtBytes
                && ctx.channel().config().isAutoRead()) {
            log.warn(
                    "connection from {} closed: nothing more came of a frame for {} ms",
                    ctx.channel().remoteAddress(),
                    most.toMillis());
            ctx.close();
        } else {
            lookLater(ctx);
        }
    }
}
