// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import io.netty.channel.Channel;

/**
 * How many bytes the other side of a connection has taken off the kernel's hands. The kernel queues megabytes, and a channel
 * hears of its socket again only when a third of them is gone: until then, who takes them slowly looks like one that takes none.
 *
 * <p>What the other side's kernel has, it has acknowledged; whether its program has read it, nobody here knows.
 */
public final class AcknowledgedBytes {
    private AcknowledgedBytes() {}

    /** Whether the kernel says it of such a connection. */
    static boolean areKnown(Channel channel) {
        return TcpInfo.isKnown(channel);
    }

    /**
     * Asks the kernel, by one system call.
     *
     * @return bytes since the connection began; 0 where the kernel does not say, or the connection is gone
     */
    public static long of(Channel channel) {
        return TcpInfo.of(channel).acknowledgedBytes();
    }
}
