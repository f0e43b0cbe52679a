// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import io.albm.core.node.NodeAddress;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Stands between clients and a server of this machine, so that a test can hold back what passes, or cut it. Thread-safe. */
abstract class Relay implements AutoCloseable {
    private final ServerSocket server;
    private final NodeAddress target;
    private final Set<Link> links = ConcurrentHashMap.newKeySet();

    Relay(NodeAddress target) throws IOException {
        this.target = target;
        this.server = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
        Thread.startVirtualThread(this::accept);
    }

    /** Where clients find it. */
    NodeAddress address() {
        return new NodeAddress(server.getInetAddress().getHostAddress(), server.getLocalPort());
    }

    /** What one client sends, until it sends no more. */
    abstract void requests(Link link, DataInputStream from, OutputStream to) throws IOException;

    /** What the server answers to it. */
    abstract void replies(Link link, DataInputStream from, OutputStream to) throws IOException;

    /** Ends all connections; clients may connect again. */
    void cut() {
        links.forEach(Link::close);
    }

    /** A client's connection, and the one to the server that belongs to it. */
    record Link(Socket client, Socket server) {
        void close() {
            try (client;
                    server) {
                server.setSoLinger(false, 0);
            } catch (IOException e) {
                // It is closed.
            }
        }
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                connect(server.accept());
            } catch (IOException e) {
                // The relay was closed, or the client has gone already.
            }
        }
    }

    private void connect(Socket client) throws IOException {
        try {
            Socket out = new Socket(InetAddress.getLoopbackAddress(), target.port());
            out.setTcpNoDelay(true);
            client.setTcpNoDelay(true);
            Link link = new Link(client, out);
            links.add(link);
            Thread.startVirtualThread(() -> pump(link, client, out, this::requests));
            Thread.startVirtualThread(() -> pump(link, out, client, this::replies));
        } catch (IOException e) {
            client.close();
            throw e;
        }
    }

    @FunctionalInterface
    private interface Direction {
        void pass(Link link, DataInputStream from, OutputStream to) throws IOException;
    }

    private void pump(Link link, Socket from, Socket to, Direction direction) {
        try {
            direction.pass(
                    link, new DataInputStream(new BufferedInputStream(from.getInputStream())), to.getOutputStream());
        } catch (IOException e) {
            // One side has ended: so does the other.
        } finally {
            links.remove(link);
            link.close();
        }
    }

    @Override
    public void close() {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        cut();
    }
}
