// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.node.NodeAddress;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

/** A backend that says exactly what a test tells it to, byte by byte, over real sockets. */
public final class RawBackend implements AutoCloseable {
    /** One request's head as it came, and the connection it came on. */
    public record Call(String head, InputStream in, OutputStream out, Socket socket) {
        public String target() {
            return head.split(" ", 3)[1];
        }

        Optional<String> header(String name) {
            return head.lines()
                    .filter(line -> line.toLowerCase(Locale.ROOT).startsWith(name.toLowerCase(Locale.ROOT) + ":"))
                    .map(line -> line.substring(name.length() + 1).strip())
                    .findFirst();
        }

        public void reply(String text) throws IOException {
            out.write(text.getBytes(StandardCharsets.ISO_8859_1));
            out.flush();
        }

        public void reply(byte[] bytes) throws IOException {
            out.write(bytes);
            out.flush();
        }

        /** Answers no sooner than that. */
        public void await(CountDownLatch latch) throws IOException {
            try {
                latch.await();
            } catch (InterruptedException e) {
                throw new InterruptedIOException();
            }
        }

        void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }
    }

    public interface Script {
        void answer(Call call) throws IOException;
    }

    private final ServerSocket listening;
    private final Thread acceptor;
    private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
    private final List<String> heads = new CopyOnWriteArrayList<>();
    private final Script script;

    public RawBackend(Script script) throws IOException {
        this(0, script);
    }

    public RawBackend(int port, Script script) throws IOException {
        this.script = script;
        this.listening = new ServerSocket(port, 1_000, InetAddress.getLoopbackAddress());
        this.acceptor = Thread.startVirtualThread(this::accept);
    }

    public static Script text(String body) {
        return call -> call.reply("HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body);
    }

    public NodeAddress address() {
        return new NodeAddress("127.0.0.1", listening.getLocalPort());
    }

    /** The heads of all requests so far. */
    public List<String> heads() {
        return heads;
    }

    public int openConnections() {
        return connections.size();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket socket = listening.accept();
                connections.add(socket);
                Thread.startVirtualThread(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            var in = new BufferedInputStream(socket.getInputStream());
            String head = readHead(in);
            while (!head.isEmpty()) {
                heads.add(head);
                script.answer(new Call(head, in, socket.getOutputStream(), socket));
                head = socket.isClosed() ? "" : readHead(in);
            }
        } catch (IOException e) {
            // The other side went away, as many tests want it to.
        } finally {
            connections.remove(socket);
        }
    }

    /** Reads up to and with the empty line; empty at the end of the stream. */
    static String readHead(InputStream in) throws IOException {
        var head = new ByteArrayOutputStream();
        int end = 0;
        while (end < 4) {
            int b = in.read();
            if (b < 0) {
                return "";
            }
            head.write(b);
            end = b == "\r\n\r\n".charAt(end) ? end + 1 : b == '\r' ? 1 : 0;
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    /**
     * Dies like a killed process: no new connection, all old ones reset. The socket listens until the thread that accepts
     * has let go of it, so that is waited for.
     */
    public void kill() {
        try {
            listening.close();
            acceptor.join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        connections.forEach(RawBackend::reset);
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            // It was closed already, which is as good.
        }
    }

    @Override
    public void close() {
        kill();
    }
}
