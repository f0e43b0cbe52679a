// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import io.netty.channel.Channel;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;

/** How connections are closed that have nothing left to send. */
public final class Closing {
    private Closing() {}

    /**
     * Closes with one system call. Netty asks for {@code SO_LINGER}, which nobody sets here, and takes the socket out of the
     * epoll set, which closing does by itself. To be called on the channel's event loop.
     */
    public static void atOnce(Channel channel) {
        if (channel instanceof UnixChannel socket) {
            try {
                socket.fd().close();
            } catch (IOException e) {
                channel.pipeline().fireExceptionCaught(e);
            }
        }
        channel.close();
    }
}
