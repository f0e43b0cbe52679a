// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.RawUnixChannelOption;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * How many bytes the other side of a connection has taken off the kernel's hands. The kernel queues megabytes, and a channel
 * hears of its socket again only when a third of them is gone: until then, who takes them slowly looks like one that takes none.
 *
 * <p>What the other side's kernel has, it has acknowledged; whether its program has read it, nobody here knows.
 */
public final class AcknowledgedBytes {
    private static final int IPPROTO_TCP = 6;
    private static final int TCP_INFO = 11;

    /** Of {@code tcpi_bytes_acked} in {@code struct tcp_info} (linux/tcp.h), 64 bits that are there since Linux 4.1. */
    private static final int OFFSET = 120;

    private static final RawUnixChannelOption INFO =
            new RawUnixChannelOption("TCP_INFO", IPPROTO_TCP, TCP_INFO, OFFSET + Long.BYTES);

    private AcknowledgedBytes() {}

    /** Whether the kernel says it of such a connection. */
    static boolean areKnown(Channel channel) {
        return channel instanceof EpollSocketChannel;
    }

    /**
     * Asks the kernel, by one system call.
     *
     * @return bytes since the connection began; 0 where the kernel does not say, or the connection is gone
     */
    public static long of(Channel channel) {
        if (!(channel instanceof EpollSocketChannel socket) || !socket.isActive()) {
            return 0;
        }
        try {
            ByteBuffer info = socket.config().getOption(INFO);
            return info.order(ByteOrder.nativeOrder()).getLong(OFFSET);
        } catch (ChannelException e) {
            return 0; // It was closed by the other side, which the channel is told of next.
        }
    }
}
