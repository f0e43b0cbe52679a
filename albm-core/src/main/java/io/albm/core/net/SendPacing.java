// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.epoll.EpollChannelConfig;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.IntegerUnixChannelOption;
import io.netty.util.AttributeKey;
import org.jspecify.annotations.Nullable;

/**
 * Sends at a rate that the receiver has granted, by the kernel's TCP where it can (Linux).
 *
 * <p>Segments are spaced (SO_MAX_PACING_RATE of socket(7)), so that they are no burst to the network; the first ones of a connection by
 * {@link SpacedStart}, as the kernel does not. And what is lost is sent again sooner, after {@value #LEAST_TIMEOUT_MICROS} microseconds beyond the round
 * trip at least and {@value #MOST_TIMEOUT_MILLIS} ms at most,
 * while TCP by itself waits 200 ms, and twice as long each time it is lost again. A sender for whom that is the only brake needs it; one with a rate does
 * not, and a port that overflows leaves streams behind that stand still while the link is idle. Source: Vasudevan et al., "Safe and
 * Effective Fine-grained TCP Retransmissions for Datacenter Communication", SIGCOMM 2009. The bounds take Linux 6.15 (TCP_RTO_MIN_US, TCP_RTO_MAX_MS);
 * an older one only spaces.
 */
public final class SendPacing {
    /** What a receiver may put off an acknowledgement is 40 ms; half of that was no worse than less in the lab of shaped links. */
    static final int LEAST_TIMEOUT_MICROS = 20_000;

    /** The least that the kernel takes. */
    static final int MOST_TIMEOUT_MILLIS = 1_000;

    private static final int SOL_SOCKET = 1;
    private static final int SO_MAX_PACING_RATE = 47;
    private static final int IPPROTO_TCP = 6;
    private static final int TCP_RTO_MAX_MS = 44;
    private static final int TCP_RTO_MIN_US = 45;

    private static final ChannelOption<Integer> RATE =
            new IntegerUnixChannelOption("SO_MAX_PACING_RATE", SOL_SOCKET, SO_MAX_PACING_RATE);
    private static final ChannelOption<Integer> LEAST_TIMEOUT =
            new IntegerUnixChannelOption("TCP_RTO_MIN_US", IPPROTO_TCP, TCP_RTO_MIN_US);
    private static final ChannelOption<Integer> MOST_TIMEOUT =
            new IntegerUnixChannelOption("TCP_RTO_MAX_MS", IPPROTO_TCP, TCP_RTO_MAX_MS);

    /** The kernel takes 32 bits as a number without a sign, all of them set for any rate. */
    private static final int UNPACED = -1;

    private static final long MOST_PACED = 0xffff_fffeL;

    /** Of a connection that has a rate: what its timeouts were before. */
    private static final AttributeKey<Timeouts> BEFORE = AttributeKey.valueOf(SendPacing.class, "before");

    private record Timeouts(int leastMicros, int mostMillis) {
        static Timeouts of(EpollChannelConfig config) {
            return new Timeouts(config.getOption(LEAST_TIMEOUT), config.getOption(MOST_TIMEOUT));
        }

        void set(EpollChannelConfig config) {
            config.setOption(LEAST_TIMEOUT, leastMicros);
            config.setOption(MOST_TIMEOUT, mostMillis);
        }

        Timeouts bounded() {
            return new Timeouts(Math.min(leastMicros, LEAST_TIMEOUT_MICROS), Math.min(mostMillis, MOST_TIMEOUT_MILLIS));
        }
    }

    private SendPacing() {}

    /**
     * Sends at a rate from now on. It counts TCP's payload. To be called on the connection's loop; does nothing if it has ended.
     *
     * @param bytesPerSecond at most, 0 for any; more than 4 GB/s is any
     */
    public static void set(Channel connection, long bytesPerSecond) {
        if (connection instanceof EpollSocketChannel socket && socket.isOpen()) {
            boolean isAny = bytesPerSecond == 0 || bytesPerSecond > MOST_PACED;
            socket.config().setOption(RATE, isAny ? UNPACED : (int) bytesPerSecond);
            timeouts(socket, isAny);
            start(socket, isAny ? 0 : bytesPerSecond);
        }
    }

    private static void start(EpollSocketChannel socket, long bytesPerSecond) {
        @Nullable ChannelHandlerContext context = socket.pipeline().context(SpacedStart.class);
        if (context != null && context.handler() instanceof SpacedStart start) {
            start.pace(bytesPerSecond, context);
        } else if (bytesPerSecond > 0) {
            int sent = TcpInfo.of(socket).dataSegments();
            if (Integer.compareUnsigned(sent, SpacedStart.UNPACED_SEGMENTS) < 0) {
                socket.pipeline().addFirst(new SpacedStart(SpacedStart.UNPACED_SEGMENTS - sent, bytesPerSecond));
            }
        }
    }

    private static void timeouts(EpollSocketChannel socket, boolean isAny) {
        @Nullable Timeouts before = socket.attr(BEFORE).get();
        if (isAny == (before == null)) {
            return;
        }
        try {
            if (before != null) {
                socket.attr(BEFORE).set(null);
                before.set(socket.config());
            } else {
                Timeouts usual = Timeouts.of(socket.config());
                socket.attr(BEFORE).set(usual);
                usual.bounded().set(socket.config());
            }
        } catch (ChannelException e) {
            // A kernel that does not know the options has its own bounds.
        }
    }
}
