// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A server that does with each connection what a test tells it to, and then closes it. */
final class SocketServer implements AutoCloseable {
    interface Script {
        void serve(Socket socket) throws IOException;
    }

    private final ServerSocket listening;
    private final Script script;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    SocketServer(Script script) throws IOException {
        this.script = script;
        this.listening = new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress());
        Thread.startVirtualThread(this::accept);
    }

    NodeAddress address() {
        return new NodeAddress("127.0.0.1", listening.getLocalPort());
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket socket = listening.accept();
                open.add(socket);
                Thread.startVirtualThread(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            script.serve(socket);
        } catch (IOException e) {
            // The other side went away, as some tests want it to.
        } finally {
            open.remove(socket);
        }
    }

    @Override
    public void close() {
        try {
            listening.close();
            for (Socket socket : open) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
