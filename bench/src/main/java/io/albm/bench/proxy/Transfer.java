// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.proxy;

import io.albm.bench.compare.Payload;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Takes or sends the long body through a proxy; every byte is compared where it arrives. */
enum Transfer {
    /** From a server to a client, which compares. */
    DOWNLOAD {
        @Override
        void run(NodeAddress proxy) throws IOException {
            try (Socket socket = new Socket(proxy.host(), proxy.port())) {
                say(socket, "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n".formatted(LongBody.PATH, proxy));
                InputStream in = socket.getInputStream();
                skipHead(in);
                byte[] received = new byte[PART.length];
                for (int part = 0; part < LongBody.REPEATS; part++) {
                    int length = in.readNBytes(received, 0, received.length);
                    if (length < PART.length || !Arrays.equals(received, PART)) {
                        throw new IOException("the body is cut or wrong at about " + part + " MiB");
                    }
                }
            }
        }
    },
    /** From a client to a server, which compares. */
    UPLOAD {
        @Override
        void run(NodeAddress proxy) throws IOException {
            try (Socket socket = new Socket(proxy.host(), proxy.port())) {
                say(
                        socket,
                        "PUT %s HTTP/1.1\r\nHost: %s\r\nContent-Length: %d\r\n\r\n"
                                .formatted(LongBody.PATH, proxy, LongBody.length()));
                for (int part = 0; part < LongBody.REPEATS; part++) {
                    socket.getOutputStream().write(PART);
                }
                skipHead(socket.getInputStream());
            }
        }
    };

    private static final byte[] PART = Payload.MEGABYTE.content();

    /**
     * Moves it, at the pace of the slowest on the way.
     *
     * @throws IOException if it is cut or wrong
     */
    abstract void run(NodeAddress proxy) throws IOException;

    private static void say(Socket socket, String head) throws IOException {
        socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    }

    private static void skipHead(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("no answer but '" + head + "'");
            }
            head.append((char) next);
        }
        if (!head.toString().startsWith("HTTP/1.1 200 ")) {
            throw new IOException("answered " + head.substring(0, head.indexOf("\r\n")));
        }
    }
}
