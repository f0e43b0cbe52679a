// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.cli;

import io.albm.core.node.NodeAddress;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between a command and ZooKeeper, and breaks the connection when the reply to the first transaction comes: it was
 * done, and the command is not told. Reads of each frame what it takes: a length, and then the number of the request and, of
 * one that a client sends, its type.
 */
final class LostReply implements AutoCloseable {
    private static final int TRANSACTION = 14;
    private static final int NONE = 0;

    private final NodeAddress server;
    private final ServerSocket listener;
    private final AtomicBoolean lost = new AtomicBoolean();

    LostReply(NodeAddress server) throws IOException {
        this.server = server;
        this.listener = new ServerSocket(0, 8, InetAddress.getLoopbackAddress());
        Thread.startVirtualThread(this::accept);
    }

    /** Where the command finds it. */
    String address() {
        return "127.0.0.1:" + listener.getLocalPort();
    }

    /** Whether there was a transaction. */
    boolean isLost() {
        return lost.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Socket out = new Socket(server.host(), server.port());
                AtomicInteger transaction = new AtomicInteger(NONE);
                Thread.startVirtualThread(() -> pump(client, out, frame -> look(frame, transaction)));
                Thread.startVirtualThread(
                        () -> pump(out, client, frame -> number(frame) != transaction.get() || number(frame) == NONE));
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private boolean look(byte[] frame, AtomicInteger transaction) {
        if (ByteBuffer.wrap(frame).getInt(Integer.BYTES) == TRANSACTION && lost.compareAndSet(false, true)) {
            transaction.set(number(frame));
        }
        return true;
    }

    private static int number(byte[] frame) {
        return ByteBuffer.wrap(frame).getInt();
    }

    @FunctionalInterface
    private interface Passage {
        boolean mayPass(byte[] frame);
    }

    /** The first frame of either side begins the session, and is no request. */
    private static void pump(Socket from, Socket to, Passage passage) {
        try (from;
                to) {
            DataInputStream in = new DataInputStream(from.getInputStream());
            DataOutputStream out = new DataOutputStream(to.getOutputStream());
            byte[] frame = read(in);
            do {
                out.write(ByteBuffer.allocate(Integer.BYTES + frame.length)
                        .putInt(frame.length)
                        .put(frame)
                        .array());
                frame = read(in);
            } while (passage.mayPass(frame));
        } catch (IOException ended) {
            // Both ends are closed either way.
        }
    }

    private static byte[] read(DataInputStream from) throws IOException {
        byte[] frame = new byte[from.readInt()];
        from.readFully(frame);
        return frame;
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
