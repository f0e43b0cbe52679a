// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.proxy;

import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Takes the long body through a proxy and compares every byte. */
final class Download {
    private static final byte[] PART = Payload.MEGABYTE.content();

    private Download() {}

    /**
     * Takes it.
     *
     * @throws IOException if it is cut or wrong, with the place
     */
    static void check(NodeAddress proxy) throws IOException {
        try (Socket socket = new Socket(proxy.host(), proxy.port())) {
            String request = "GET %s HTTP/1.1\r\nHost: %s\r\n\r\n".formatted(LongBody.PATH, proxy);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
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
