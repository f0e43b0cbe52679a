// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.lab;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes what comes by TCP on a host and throws it away; when a sender has ended, it is told so with a byte. */
public final class TcpSink implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TcpSink.class);
    private static final int BUFFER = 256 * 1024;

    private final LabHost host;
    private final ServerSocketChannel server;

    private TcpSink(LabHost host, ServerSocketChannel server) {
        this.host = host;
        this.server = server;
    }

    /** Listens. */
    public static TcpSink open(LabHost host) throws IOException {
        TcpSink sink = new TcpSink(
                host, host.call(() -> ServerSocketChannel.open().bind(new InetSocketAddress(host.address(), 0), 256)));
        host.start("sink", sink::accept);
        return sink;
    }

    private InetSocketAddress address() throws IOException {
        return (InetSocketAddress) server.getLocalAddress();
    }

    private void accept() {
        try {
            while (true) {
                SocketChannel sender = server.accept();
                // A thread of this one is on this host, too.
                Thread.ofPlatform().daemon().name("lab-sink-" + host.number()).start(() -> take(sender));
            }
        } catch (IOException e) {
            LOG.debug("the sink of host {} was closed", host.number(), e);
        }
    }

    private void take(SocketChannel sender) {
        ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
        try (sender) {
            while (sender.read(buffer.clear()) >= 0) {}
            sender.write(ByteBuffer.allocate(1));
        } catch (IOException e) {
            LOG.debug("a sender to host {} went away", host.number(), e);
        }
    }

    /**
     * Sends to it, from a thread of another host.
     *
     * @param bytes how many; returns when all are there, as the sink says
     */
    public void send(InetAddress from, long bytes) throws IOException {
        try (SocketChannel channel = SocketChannel.open()) {
            channel.bind(new InetSocketAddress(from, 0)).connect(address());
            ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
            for (long left = bytes; left > 0; ) {
                buffer.clear().limit((int) Math.min(BUFFER, left));
                left -= channel.write(buffer);
            }
            channel.shutdownOutput();
            if (channel.read(buffer.clear()) != 1) {
                throw new IOException("the sink of host " + host.number() + " ended early");
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
