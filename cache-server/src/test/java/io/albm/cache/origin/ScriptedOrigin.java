// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.origin;

import io.albm.core.node.NodeAddress;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** An HTTP origin over real sockets that answers as a test says, byte by byte, and remembers what it was asked. */
final class ScriptedOrigin implements Closeable {

    /** A request as it came. */
    record Asked(String method, String target, Map<String, String> headers, String body) {
        @Nullable
        String header(String name) {
            return headers.get(name.toLowerCase(Locale.ROOT));
        }
    }

    /** What an answer is written to. */
    interface Script {
        void answer(Asked request, OutputStream to) throws IOException, InterruptedException;
    }

    private final ServerSocket listener;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private final List<Asked> asked = new CopyOnWriteArrayList<>();
    private volatile Script script = (request, to) -> write(to, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");

    ScriptedOrigin() throws IOException {
        this(new ServerSocket(0, 100, InetAddress.getLoopbackAddress()));
    }

    /** One that listens by other means, such as TLS. */
    ScriptedOrigin(ServerSocket listener) {
        this.listener = listener;
        Thread.ofVirtual().start(this::accept);
    }

    NodeAddress address() {
        return new NodeAddress("127.0.0.1", listener.getLocalPort());
    }

    /** From now on every request is answered so. */
    void answer(Script next) {
        script = next;
    }

    /** From now on every request is answered with a whole response. */
    void answer(String body, String... headers) {
        answer((request, to) -> respond(to, 200, body, headers));
    }

    static void respond(OutputStream to, int status, String body, String... headers) throws IOException {
        StringBuilder head = new StringBuilder("HTTP/1.1 " + status + " X\r\n");
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        if (status != 304) {
            head.append("Content-Length: ").append(body.length()).append("\r\n");
        }
        write(to, head + "\r\n" + (status == 304 ? "" : body));
    }

    static void write(OutputStream to, String text) throws IOException {
        to.write(text.getBytes(StandardCharsets.ISO_8859_1));
        to.flush();
    }

    /** All requests so far. */
    List<Asked> asked() {
        return List.copyOf(asked);
    }

    Asked last() {
        return asked.getLast();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                sockets.add(socket);
                Thread.ofVirtual().start(() -> serve(socket));
            }
        } catch (IOException e) {
            closeAll();
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = new BufferedInputStream(socket.getInputStream());
            for (Asked request = read(in); request != null; request = read(in)) {
                asked.add(request);
                script.answer(request, socket.getOutputStream());
            }
        } catch (IOException e) {
            // The test, or the cache, ended the connection.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            sockets.remove(socket);
        }
    }

    private static @Nullable Asked read(InputStream in) throws IOException {
        String first = line(in);
        if (first == null) {
            return null;
        }
        String[] parts = first.split(" ", -1);
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(in); line != null && !line.isEmpty(); line = line(in)) {
            int colon = line.indexOf(':');
            headers.merge(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip(),
                    (one, other) -> one + ", " + other);
        }
        return new Asked(parts[0], parts[1], headers, body(in, headers));
    }

    private static String body(InputStream in, Map<String, String> headers) throws IOException {
        if (!headers.containsKey("transfer-encoding")) {
            return text(in.readNBytes(Integer.parseInt(headers.getOrDefault("content-length", "0"))));
        }
        List<String> chunks = new ArrayList<>();
        for (int size = chunkSize(in); size > 0; size = chunkSize(in)) {
            chunks.add(text(in.readNBytes(size)));
            line(in);
        }
        line(in);
        return String.join("", chunks);
    }

    private static int chunkSize(InputStream in) throws IOException {
        String size = line(in);
        return size == null ? 0 : Integer.parseInt(size.strip(), 16);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    private static @Nullable String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                return null;
            }
            line.append((char) c);
        }
        return line.toString().strip();
    }

    private void closeAll() {
        for (Socket socket : sockets) {
            try {
                socket.close();
            } catch (IOException e) {
                // It is closed.
            }
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        closeAll();
    }
}
