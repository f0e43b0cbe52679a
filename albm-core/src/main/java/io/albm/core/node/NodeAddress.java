// SPDX-License-Identifier: Apache-2.0
package io.albm.core.node;

import java.net.InetSocketAddress;

/**
 * Where a process listens, as text {@code host:port}; an IPv6 address stands in brackets: {@code [::1]:80}.
 *
 * @param host a host name or an IP address, without brackets
 * @param port 0 to 65535; 0 asks for any free port when binding
 */
public record NodeAddress(String host, int port) {
    private static final int MAX_PORT = 65_535;

    public NodeAddress {
        if (host.isEmpty()
                || host.chars().anyMatch(c -> Character.isWhitespace(c) || c == '[' || c == ']' || c == '/')) {
            throw new IllegalArgumentException("host '" + host + "': expected a host name or an IP address");
        }
        if (port < 0 || port > MAX_PORT) {
            throw new IllegalArgumentException("port " + port + ": expected 0 to " + MAX_PORT);
        }
    }

    /**
     * Reads {@code host:port}.
     *
     * @throws IllegalArgumentException if the text has another form; the message says what was expected
     */
    public static NodeAddress parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 1) {
            throw malformed(text);
        }
        return new NodeAddress(unbracket(text, text.substring(0, colon)), port(text, text.substring(colon + 1)));
    }

    private static String unbracket(String text, String host) {
        if (host.startsWith("[") && host.endsWith("]")) {
            return host.substring(1, host.length() - 1);
        }
        if (host.indexOf(':') >= 0) {
            throw malformed(text);
        }
        return host;
    }

    private static int port(String text, String digits) {
        if (digits.isEmpty() || digits.length() > 5 || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw malformed(text);
        }
        return Integer.parseInt(digits);
    }

    private static IllegalArgumentException malformed(String text) {
        return new IllegalArgumentException(
                "address '" + text + "': expected host:port, such as 127.0.0.1:8080 or [::1]:8080");
    }

    /** The same host with another port. */
    public NodeAddress withPort(int other) {
        return new NodeAddress(host, other);
    }

    /** For binding and connecting; resolves a host name, which may block on DNS. */
    public InetSocketAddress toSocketAddress() {
        return new InetSocketAddress(host, port);
    }

    @Override
    public String toString() {
        return (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":" + port;
    }
}
