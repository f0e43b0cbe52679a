// SPDX-License-Identifier: Apache-2.0
package io.albm.distributor.proxy;

import io.albm.core.node.NodeAddress;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** What a client says and hears on a real socket, byte by byte: {@link RawBackend}'s other side. */
public final class RawClient {
    private static final int PATIENCE_MILLIS = 10_000;

    private RawClient() {}

    /** A connection that waits for no byte longer than a test has patience. */
    public static Socket connect(NodeAddress to) throws IOException {
        var socket = new Socket(to.host(), to.port());
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    /** Whether nobody listens there. */
    public static boolean isRefusedAt(NodeAddress address) {
        try (Socket socket = connect(address)) {
            return !socket.isConnected();
        } catch (IOException e) {
            return true;
        }
    }

    /** Lines with their ends, and an empty one. */
    public static String head(String... lines) {
        return String.join("\r\n", lines) + "\r\n\r\n";
    }

    public static void send(Socket socket, String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Reads one response with a Content-Length. */
    public static String readResponse(Socket socket) throws IOException {
        String head = RawBackend.readHead(socket.getInputStream());
        int length = head.lines()
                .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-length:"))
                .mapToInt(line -> Integer.parseInt(line.substring(15).strip()))
                .findFirst()
                .orElseThrow(() -> new EOFException("expected a response with a length, got '" + head + "'"));
        return head + new String(socket.getInputStream().readNBytes(length), StandardCharsets.ISO_8859_1);
    }

    /** Reads what comes until the connection is closed. */
    public static String readAll(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
}
