// SPDX-License-Identifier: Apache-2.0
package io.albm.core.zookeeper;

import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A wire between a client and a server that a test cuts and mends. */
final class Relay implements AutoCloseable {
    private final NodeAddress target;
    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile boolean cut;

    private Relay(NodeAddress target, ServerSocket listener) {
        this.target = target;
        this.listener = listener;
    }

    static Relay to(NodeAddress target) throws IOException {
        Relay relay = new Relay(target, new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
        Thread.ofVirtual().start(relay::accept);
        return relay;
    }

    NodeAddress address() {
        return new NodeAddress("127.0.0.1", listener.getLocalPort());
    }

    /** Breaks what is connected and lets nothing through until mended. */
    void cut() {
        cut = true;
        sockets.forEach(Relay::closeQuietly);
    }

    void mend() {
        cut = false;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                if (cut) {
                    client.close();
                } else {
                    connect(client);
                }
            }
        } catch (IOException closed) {
            sockets.forEach(Relay::closeQuietly);
        }
    }

    private void connect(Socket client) {
        try {
            Socket server = new Socket(target.host(), target.port());
            sockets.add(client);
            sockets.add(server);
            Thread.ofVirtual().start(() -> pump(client, server));
            Thread.ofVirtual().start(() -> pump(server, client));
        } catch (IOException serverIsAway) {
            closeQuietly(client);
        }
    }

    private void pump(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException cutOrClosed) {
            // Both ends are closed below either way.
        }
        closeQuietly(from);
        closeQuietly(to);
        sockets.remove(from);
        sockets.remove(to);
    }

    private static void closeQuietly(Socket socket) {
        try {
            socket.close();
        } catch (IOException alreadyBroken) {
            // Closed is all that is wanted.
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        cut();
    }
}
