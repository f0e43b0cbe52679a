// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.unix.RawUnixChannelOption;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * What the kernel says of a connection: {@code struct tcp_info} of linux/tcp.h.
 *
 * @param acknowledgedBytes by the other side, since the connection began; 0 before Linux 4.1
 * @param dataSegments that were sent with data in them, again or for the first time, modulo 2^32; 0 before Linux 4.6
 */
record TcpInfo(long acknowledgedBytes, int dataSegments) {
    /** Of a connection of which the kernel says nothing, or that is gone. */
    static final TcpInfo NONE = new TcpInfo(0, 0);

    private static final int IPPROTO_TCP = 6;
    private static final int TCP_INFO = 11;
    private static final int BYTES_ACKED = 120;
    private static final int DATA_SEGS_OUT = 156;

    private static final RawUnixChannelOption INFO =
            new RawUnixChannelOption("TCP_INFO", IPPROTO_TCP, TCP_INFO, DATA_SEGS_OUT + Integer.BYTES);

    /** Whether the kernel says it of such a connection. */
    static boolean isKnown(Channel channel) {
        return channel instanceof EpollSocketChannel;
    }

    /** Asks the kernel, by one system call. */
    static TcpInfo of(Channel channel) {
        if (!(channel instanceof EpollSocketChannel socket) || !socket.isActive()) {
            return NONE;
        }
        try {
            ByteBuffer info = socket.config().getOption(INFO).order(ByteOrder.nativeOrder());
            return new TcpInfo(info.getLong(BYTES_ACKED), info.getInt(DATA_SEGS_OUT));
        } catch (ChannelException e) {
            return NONE; // It was closed by the other side, which the channel is told of next.
        }
    }
}
