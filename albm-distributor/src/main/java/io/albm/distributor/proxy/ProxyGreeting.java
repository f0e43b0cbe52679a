// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.haproxy.HAProxyCommand;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyMessageEncoder;
import io.netty.handler.codec.haproxy.HAProxyProtocolVersion;
import io.netty.handler.codec.haproxy.HAProxyProxiedProtocol;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Whether and how a backend of a TCP frontend is told who its client is, before the first byte: the PROXY protocol. */
public enum ProxyGreeting {
    NONE,
    V1,
    V2;

    /** As in the configuration. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** All of them, as in the configuration. */
    public static List<String> ids() {
        return Arrays.stream(values()).map(ProxyGreeting::id).toList();
    }

    /** Says it on a new connection to a backend. */
    void send(SocketChannel client, ChannelPipeline backend) {
        if (this == NONE) {
            return;
        }
        backend.addFirst(HAProxyMessageEncoder.INSTANCE);
        backend.write(message(ProxyHeader.client(client), client.localAddress()));
        backend.remove(HAProxyMessageEncoder.INSTANCE);
    }

    private HAProxyMessage message(InetSocketAddress from, InetSocketAddress to) {
        boolean four = from.getAddress() instanceof Inet4Address && to.getAddress() instanceof Inet4Address;
        return new HAProxyMessage(
                this == V1 ? HAProxyProtocolVersion.V1 : HAProxyProtocolVersion.V2,
                HAProxyCommand.PROXY,
                four ? HAProxyProxiedProtocol.TCP4 : HAProxyProxiedProtocol.TCP6,
                text(from, four),
                text(to, four),
                from.getPort(),
                to.getPort());
    }

    /** Both addresses have to be of one family; an IPv4 one is then said in IPv6. */
    private static String text(InetSocketAddress address, boolean four) {
        String text = address.getAddress().getHostAddress();
        return four || !(address.getAddress() instanceof Inet4Address) ? text : "::ffff:" + text;
    }
}
