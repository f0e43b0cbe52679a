// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import io.albm.core.node.NodeAddress;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;
import javax.net.ssl.SSLSocket;

/** Clients of a {@link SteadyLoad}, by hand on sockets: no library that would try again behind the test's back. */
final class SteadyClients {
    private static final int TIMEOUT_MILLIS = 30_000;

    private SteadyClients() {}

    private static Socket connect(NodeAddress server) throws IOException {
        var socket = new Socket(server.host(), server.port());
        socket.setSoTimeout(TIMEOUT_MILLIS);
        return socket;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Gets a document over one kept connection of HTTP/1.1. */
    static SteadyLoad.Client http1(NodeAddress server, String path, byte[] content) throws IOException {
        return new Http1(connect(server), path, content);
    }

    /** The same under TLS. */
    static SteadyLoad.Client secureHttp1(NodeAddress server, String path, byte[] content) throws IOException {
        return new Http1(Tls.connect(server), path, content);
    }

    /** Gets a document, of one small frame, over one connection of HTTP/2 in clear text. */
    static SteadyLoad.Client http2(NodeAddress server, String path, byte[] content) throws IOException {
        return new Http2(connect(server), path, content);
    }

    /** The same under TLS. */
    static SteadyLoad.Client secureHttp2(NodeAddress server, String path, byte[] content) throws IOException {
        return new Http2(Tls.connect(server, "h2"), path, content);
    }

    /** Sends bytes through one tunnel and gets them back. */
    static SteadyLoad.Client tunnel(NodeAddress server, String path) throws IOException {
        return new Tunnel(connect(server), path);
    }

    /** The same under TLS. */
    static SteadyLoad.Client secureTunnel(NodeAddress server, String path) throws IOException {
        return new Tunnel(Tls.connect(server), path);
    }

    /** Gets a document over a new connection under TLS each time, and adds whose certificate it saw. */
    static SteadyLoad.Client newcomer(NodeAddress server, String path, byte[] content, Set<String> subjects) {
        return new Newcomer(server, path, content, subjects);
    }

    private static void require(byte[] expected, byte[] actual) throws IOException {
        if (!Arrays.equals(expected, actual)) {
            throw new IOException("expected other bytes than " + actual.length + " bytes: "
                    + new String(actual, 0, Math.min(80, actual.length), StandardCharsets.ISO_8859_1));
        }
    }

    private static String readHead(DataInputStream in) throws IOException {
        var head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
            head.write(in.readUnsignedByte());
        }
        return head.toString(StandardCharsets.ISO_8859_1);
    }

    private static final class Http1 implements SteadyLoad.Client {
        private final Socket socket;
        private final DataInputStream in;
        private final byte[] request;
        private final byte[] content;

        Http1(Socket socket, String path, byte[] content) throws IOException {
            this.socket = socket;
            this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            this.request = ascii("GET " + path + " HTTP/1.1\r\nHost: it\r\n\r\n");
            this.content = content;
        }

        @Override
        public void ask() throws IOException {
            socket.getOutputStream().write(request);
            String head = readHead(in);
            if (!head.startsWith("HTTP/1.1 200 ")) {
                throw new IOException("expected 200 instead of " + head);
            }
            require(content, in.readNBytes(length(head)));
        }

        private static int length(String head) throws IOException {
            return head.lines()
                    .map(line -> line.toLowerCase(Locale.ROOT))
                    .filter(line -> line.startsWith("content-length:"))
                    .mapToInt(line -> Integer.parseInt(
                            line.substring(line.indexOf(':') + 1).strip()))
                    .findFirst()
                    .orElseThrow(() -> new IOException("expected a length in " + head));
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }

        @Override
        public String toString() {
            return "HTTP/1.1";
        }
    }

    private static final class Newcomer implements SteadyLoad.Client {
        private final NodeAddress server;
        private final String path;
        private final byte[] content;
        private final Set<String> subjects;

        Newcomer(NodeAddress server, String path, byte[] content, Set<String> subjects) {
            this.server = server;
            this.path = path;
            this.content = content;
            this.subjects = subjects;
        }

        @Override
        public void ask() throws IOException {
            SSLSocket socket = Tls.connect(server);
            subjects.add(Tls.subject(socket));
            try (var once = new Http1(socket, path, content)) {
                once.ask();
            }
        }

        @Override
        public void close() {}

        @Override
        public String toString() {
            return "newcomer under TLS";
        }
    }

    private static final class Http2 implements SteadyLoad.Client {
        private static final int DATA = 0;
        private static final int HEADERS = 1;
        private static final int END = 5;
        private static final int END_STREAM = 1;
        private static final int RESET = 3;
        private static final int SETTINGS = 4;
        private static final int GOAWAY = 7;
        private static final int WINDOW_UPDATE = 8;

        private final Socket socket;
        private final DataInputStream in;
        private final byte[] block;
        private final byte[] content;
        private int stream = 1;

        Http2(Socket socket, String path, byte[] content) throws IOException {
            this.socket = socket;
            this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            this.content = content;
            // GET and http by the static table; path and authority literally, not indexed: RFC 7541, 6.2.2.
            var head = new ByteArrayOutputStream();
            head.writeBytes(new byte[] {(byte) 0x82, (byte) 0x86, 4, (byte) path.length()});
            head.writeBytes(ascii(path));
            head.writeBytes(new byte[] {1, 2, 'i', 't'});
            this.block = head.toByteArray();
            socket.getOutputStream().write(ascii("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"));
            send(SETTINGS, 0, 0);
        }

        private void send(int type, int flags, int on, byte... payload) throws IOException {
            var frame = new ByteArrayOutputStream();
            frame.writeBytes(new byte[] {0, 0, (byte) payload.length, (byte) type, (byte) flags});
            frame.writeBytes(number(on));
            frame.writeBytes(payload);
            socket.getOutputStream().write(frame.toByteArray());
        }

        private static byte[] number(int value) {
            return new byte[] {(byte) (value >> 24), (byte) (value >> 16), (byte) (value >> 8), (byte) value};
        }

        @Override
        public void ask() throws IOException {
            send(HEADERS, END, stream, block);
            var body = new ByteArrayOutputStream();
            while (!takeFrame(body)) {}
            require(content, body.toByteArray());
            if (body.size() > 0) {
                send(WINDOW_UPDATE, 0, 0, number(body.size()));
            }
            stream += 2;
        }

        private boolean takeFrame(ByteArrayOutputStream body) throws IOException {
            int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
            int type = in.readUnsignedByte();
            int flags = in.readUnsignedByte();
            in.skipNBytes(Integer.BYTES);
            byte[] payload = in.readNBytes(length);
            if (type == RESET || type == GOAWAY) {
                throw new EOFException("frame of type " + type + ": " + Arrays.toString(payload));
            }
            if (type == SETTINGS && flags == 0) {
                send(SETTINGS, 1, 0);
            }
            if (type == DATA) {
                body.writeBytes(payload);
            }
            return (type == DATA || type == HEADERS) && (flags & END_STREAM) != 0;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }

        @Override
        public String toString() {
            return "HTTP/2";
        }
    }

    private static final class Tunnel implements SteadyLoad.Client {
        private static final byte[] MESSAGE = ascii("there and back");

        private final Socket socket;
        private final DataInputStream in;

        Tunnel(Socket socket, String path) throws IOException {
            this.socket = socket;
            this.in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            socket.getOutputStream()
                    .write(ascii(
                            "GET " + path + " HTTP/1.1\r\nHost: it\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n"));
            String head = readHead(in);
            if (!head.startsWith("HTTP/1.1 101 ")) {
                throw new IOException("expected 101 instead of " + head);
            }
        }

        @Override
        public void ask() throws IOException {
            socket.getOutputStream().write(MESSAGE);
            require(MESSAGE, in.readNBytes(MESSAGE.length));
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }

        @Override
        public String toString() {
            return "tunnel";
        }
    }
}
