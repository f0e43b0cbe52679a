// SPDX-License-Identifier: Apache-2.0
package io.albm.core.net;

import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A port kept for a server that does not listen yet: the system gives it to nobody who takes any free port, and a server
 * that may reuse addresses (SO_REUSEADDR, as Java's do) can listen on it all the same. Nobody is connected meanwhile.
 */
public final class HeldPort implements AutoCloseable {
    private final NodeAddress address;
    private final Socket socket;

    private HeldPort(NodeAddress address, Socket socket) {
        this.address = address;
        this.socket = socket;
    }

    /**
     * Takes a port.
     *
     * @param bind port 0 takes any free one
     * @throws IOException if the address cannot be had; see {@link Transport#bindFailure}
     */
    public static HeldPort at(NodeAddress bind) throws IOException {
        Socket socket = new Socket();
        try {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByName(bind.host()), bind.port()));
            return new HeldPort(bind.withPort(socket.getLocalPort()), socket);
        } catch (IOException e) {
            socket.close();
            throw Transport.bindFailure(bind, e);
        }
    }

    /** With the real port. */
    public NodeAddress address() {
        return address;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
