// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.handler.ssl.SslHandler;
import org.jspecify.annotations.Nullable;

/**
 * Lets the kernel move the bulk of a tunnel's bytes, so that they are not copied through this process.
 *
 * <p>It works only within one read event and leaves nothing behind: a read that filled its buffer says that more waits; that
 * is spliced from socket to socket until either has to wait, and what is in the pipe then is read and written the ordinary
 * way. So ends, errors, backpressure and timeouts stay where they are, in the channels' own events, and no byte can be
 * stuck or lost in between. That is why one pipe serves all tunnels of an event loop, and Netty's own {@code spliceTo},
 * which keeps state across events, is not used.
 *
 * <p>Confined to its event loop.
 */
final class Shortcut {
    /** Reads as small as this are no sign of bulk. */
    static final int SMALLEST_BULK = 16 << 10;

    /** Pipes full in one event, so that one tunnel does not keep the loop from others. */
    private static final int MAX_ROUNDS = 16;

    private final ProxyStats stats;
    private @Nullable KernelPipe pipe;
    private boolean impossible = !Epoll.isAvailable();

    Shortcut(ProxyStats stats) {
        this.stats = stats;
    }

    /** Whether both connections are plain sockets that the kernel can splice. */
    static boolean isPossible(Channel one, Channel other) {
        return isPlain(one) && isPlain(other);
    }

    private static boolean isPlain(Channel channel) {
        return channel instanceof EpollSocketChannel && channel.pipeline().get(SslHandler.class) == null;
    }

    /** Moves what waits at one end, as far as the other end takes it; all that was written there must be flushed. */
    void move(TunnelEnd from, TunnelEnd to) {
        KernelPipe through = pipe();
        if (through == null) {
            return;
        }
        int in = ((EpollSocketChannel) from.channel()).fd().intValue();
        int out = ((EpollSocketChannel) to.channel()).fd().intValue();
        long moved = 0;
        for (int round = 0; round < MAX_ROUNDS && isReady(to.channel()); round++) {
            long waiting = through.fill(in);
            if (waiting <= 0) {
                break;
            }
            moved += waiting;
            pass(through, waiting, out, to);
        }
        stats.spliced(moved);
    }

    private static boolean isReady(Channel channel) {
        ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
        return channel.isActive() && unsent != null && unsent.isEmpty();
    }

    private static void pass(KernelPipe through, long waiting, int out, TunnelEnd to) {
        long left = waiting;
        while (left > 0) {
            long sent = through.drain(out, left);
            if (sent <= 0) {
                to.write(through.take((int) left, to.channel().alloc()));
                return;
            }
            left -= sent;
        }
    }

    private @Nullable KernelPipe pipe() {
        if (pipe == null && !impossible) {
            pipe = KernelPipe.open().orElse(null);
            impossible = pipe == null;
        }
        return pipe;
    }

    /** Gives the pipe back. */
    void close() {
        impossible = true;
        if (pipe != null) {
            pipe.close();
            pipe = null;
        }
    }
}
