// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.core.net.DirectReader;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;

/** Brings a connection its requests straight from the socket, in a buffer that all connections of the loop share. */
final class SocketReader implements DirectReader {
    private final Socket socket;
    private final Connection connection;
    private final LoopBuffers buffers;

    private SocketReader(Socket socket, Connection connection, LoopBuffers buffers) {
        this.socket = socket;
        this.connection = connection;
        this.buffers = buffers;
    }

    /** From now on, if the channel has a socket that can be read so. */
    static void install(Channel channel, Connection connection, LoopBuffers buffers) {
        if (channel instanceof UnixChannel unix && unix.fd() instanceof Socket socket) {
            DirectReader.install(unix, new SocketReader(socket, connection, buffers));
        }
    }

    @Override
    public boolean read() {
        if (!connection.readsRequests() || !socket.isOpen()) {
            return false;
        }
        ByteBuf in = buffers.input();
        int bytes = received(in);
        if (bytes <= 0) {
            return false;
        }
        connection.arrivedDirectly(in.writerIndex(bytes));
        buffers.inputIsRead();
        return true;
    }

    /** How much was there; what is wrong with a socket its channel finds out and tells. */
    private int received(ByteBuf in) {
        try {
            return socket.recvAddress(Outbox.address(in, 0, in.capacity()), 0, in.capacity());
        } catch (IOException e) {
            return 0;
        }
    }
}
