// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import io.albm.core.node.NodeAddress;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A web server that is not ours: one document, and a protocol that gives everything back to who upgrades to it. */
final class WebServer implements AutoCloseable {
    static final String CONTENT = "not from a cache";
    private static final byte[] DOCUMENT =
            ascii("HTTP/1.1 200 OK\r\nContent-Length: " + CONTENT.length() + "\r\n\r\n" + CONTENT);
    private static final byte[] SWITCHED =
            ascii("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n");

    private final ServerSocket listening;

    WebServer() throws IOException {
        listening = new ServerSocket(0, 1_000, InetAddress.getLoopbackAddress());
        Thread.startVirtualThread(this::accept);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    NodeAddress address() {
        return new NodeAddress("127.0.0.1", listening.getLocalPort());
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket socket = listening.accept();
                Thread.startVirtualThread(() -> serve(socket));
            } catch (IOException e) {
                return;
            }
        }
    }

    private static void serve(Socket socket) {
        try (socket;
                InputStream in = new BufferedInputStream(socket.getInputStream());
                OutputStream out = socket.getOutputStream()) {
            String head = readHead(in);
            while (!head.isEmpty()) {
                if (head.contains("\r\nUpgrade: echo\r\n")) {
                    out.write(SWITCHED);
                    in.transferTo(out);
                } else {
                    out.write(DOCUMENT);
                }
                head = readHead(in);
            }
        } catch (IOException e) {
            // The other side went away.
        }
    }

    private static String readHead(InputStream in) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int b = in.read();
            if (b < 0) {
                return "";
            }
            head.append((char) b);
        }
        return head.toString();
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
