// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import io.albm.core.node.NodeAddress;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An HTTP client that sends exactly the bytes it is told to, over a real socket. */
final class RawClient implements Closeable {

    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Response(int status, Map<String, String> headers, byte[] body) {
        String text() {
            return new String(body, StandardCharsets.UTF_8);
        }

        @Nullable
        String header(String name) {
            return headers.get(name.toLowerCase(Locale.ROOT));
        }
    }

    private final Socket socket;
    private final InputStream in;

    RawClient(NodeAddress address) throws IOException {
        socket = new Socket(address.host(), address.port());
        socket.setSoTimeout(10_000);
        in = new BufferedInputStream(socket.getInputStream());
    }

    void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** One request with the Host header that HTTP/1.1 wants; {@code headers} are whole lines. */
    void request(String method, String target, String... headers) throws IOException {
        StringBuilder head = new StringBuilder(method + " " + target + " HTTP/1.1\r\nHost: test\r\n");
        for (String header : headers) {
            head.append(header).append("\r\n");
        }
        send(head + "\r\n");
    }

    Response get(String target, String... headers) throws IOException {
        request("GET", target, headers);
        return receive(true);
    }

    /** Waits until something came, and leaves it there. */
    void awaitFirstByte() throws IOException {
        in.mark(1);
        if (in.read() < 0) {
            throw new EOFException("the connection ended without an answer");
        }
        in.reset();
    }

    Response receive(boolean withBody) throws IOException {
        int status = Integer.parseInt(line().split(" ", 3)[1]);
        Map<String, String> headers = new TreeMap<>();
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.put(
                    line.substring(0, colon).toLowerCase(Locale.ROOT),
                    line.substring(colon + 1).strip());
        }
        int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
        return new Response(status, headers, withBody && status != 304 ? in.readNBytes(length) : new byte[0]);
    }

    /** Sends nothing more, and reads on. */
    void endOutput() throws IOException {
        socket.shutdownOutput();
    }

    /** Whether the server has ended the connection and nothing more came. */
    boolean isAtEnd() throws IOException {
        return in.read() < 0;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the connection ended within a head: " + line);
            }
            line.append((char) c);
        }
        return line.toString().strip();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
