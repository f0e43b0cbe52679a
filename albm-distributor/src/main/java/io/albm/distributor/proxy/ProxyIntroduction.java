// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.topology.ProxyGreeting;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.haproxy.HAProxyCommand;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyMessageEncoder;
import io.netty.handler.codec.haproxy.HAProxyProtocolVersion;
import io.netty.handler.codec.haproxy.HAProxyProxiedProtocol;
import java.net.Inet4Address;
import java.net.InetSocketAddress;

/** Tells a backend of a TCP frontend who its client is, before the first byte: the PROXY protocol. */
final class ProxyIntroduction {
    private ProxyIntroduction() {}

    /** Says it on a new connection to a backend. */
    static void send(ProxyGreeting greeting, SocketChannel client, ChannelPipeline backend) {
        switch (greeting) {
            case NONE -> {}
            case V1 -> send(HAProxyProtocolVersion.V1, client, backend);
            case V2 -> send(HAProxyProtocolVersion.V2, client, backend);
        }
    }

    private static void send(HAProxyProtocolVersion version, SocketChannel client, ChannelPipeline backend) {
        backend.addFirst(HAProxyMessageEncoder.INSTANCE);
        backend.write(message(version, ProxyHeader.client(client), client.localAddress()));
        backend.remove(HAProxyMessageEncoder.INSTANCE);
    }

    private static HAProxyMessage message(
            HAProxyProtocolVersion version, InetSocketAddress from, InetSocketAddress to) {
        boolean four = from.getAddress() instanceof Inet4Address && to.getAddress() instanceof Inet4Address;
        return new HAProxyMessage(
                version,
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
