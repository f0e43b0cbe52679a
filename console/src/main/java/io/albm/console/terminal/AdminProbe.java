// SPDX-License-Identifier: Apache-2.0
package io.albm.console.terminal;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;

/**
 * One request to an admin port. By hand, because the JDK's client took 350 ms of CPU for its first request where this takes
 * 70: much for a short command.
 *
 * @param status HTTP status code
 * @param body as text
 */
record AdminProbe(int status, String body) {
    private static final int LONGEST_ANSWER = 8 << 20;
    private static final String END_OF_HEAD = "\r\n\r\n";

    /**
     * Asks and reads the answer.
     *
     * @param bound for connecting, and for each read
     * @throws IOException if there is no answer in time, or none in HTTP
     */
    static AdminProbe get(NodeAddress address, String path, Duration bound) throws IOException {
        return ask(address, "GET " + path, "", bound);
    }

    /** The same with a body of text. */
    static AdminProbe post(NodeAddress address, String path, String body, Duration bound) throws IOException {
        return ask(address, "POST " + path, body, bound);
    }

    private static AdminProbe ask(NodeAddress address, String request, String body, Duration bound) throws IOException {
        int millis = Math.toIntExact(bound.toMillis());
        byte[] content = body.getBytes(UTF_8);
        String length = content.length == 0 ? "" : "Content-Length: " + content.length + "\r\n";
        try (Socket socket = new Socket()) {
            socket.connect(address.toSocketAddress(), millis);
            socket.setSoTimeout(millis);
            String head = request + " HTTP/1.1\r\nHost: " + address + "\r\n" + length + "Connection: close\r\n\r\n";
            socket.getOutputStream().write(head.getBytes(US_ASCII));
            socket.getOutputStream().write(content);
            return parse(new String(socket.getInputStream().readNBytes(LONGEST_ANSWER), UTF_8));
        }
    }

    static AdminProbe parse(String answer) throws IOException {
        int head = answer.indexOf(END_OF_HEAD);
        String[] statusLine = answer.lines().findFirst().orElse("").split(" ", 3);
        if (head < 0 || statusLine.length < 2 || !statusLine[0].startsWith("HTTP/1.")) {
            throw new IOException("no HTTP answer");
        }
        try {
            return new AdminProbe(Integer.parseInt(statusLine[1]), answer.substring(head + END_OF_HEAD.length()));
        } catch (NumberFormatException e) {
            throw new IOException("no HTTP status in '" + statusLine[1] + "'", e);
        }
    }
}
