// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.rank;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Lines of text to and from the supervisor of a rank; docs/checkpointing.md lists them, so that a rank may be written in
 * any language. Any thread may send; one reads.
 */
public final class SupervisorLines implements AutoCloseable {
    private static final int CONNECT_MILLIS = 10_000;

    private final Socket socket;
    private final BufferedReader in;
    private final OutputStream out;
    private @Nullable Path restored;

    private SupervisorLines(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
        this.out = socket.getOutputStream();
    }

    /**
     * Connects and says which rank this is. Waits for as long as a supervisor that is stopped says nothing.
     *
     * @param control {@code host:port/token}
     * @throws RankRefusedException if its attempt is over
     * @throws IOException if nobody is there
     */
    public static SupervisorLines open(String control, int rank) throws IOException {
        return open(control, rank, new Socket());
    }

    /**
     * The same for who must not wait that long.
     *
     * @param socket a new one; its timeout holds for the greeting, too, and who closes it ends the waiting
     */
    public static SupervisorLines open(String control, int rank, Socket socket) throws IOException {
        int colon = control.lastIndexOf(':');
        int slash = control.indexOf('/', colon);
        if (colon < 0 || slash < 0) {
            throw new IOException("ALBM_CONTROL is \"" + control + "\", expected host:port/token");
        }
        int port = Integer.parseInt(control.substring(colon + 1, slash));
        try {
            socket.setTcpNoDelay(true);
            socket.connect(new InetSocketAddress(control.substring(0, colon), port), CONNECT_MILLIS);
            SupervisorLines lines = new SupervisorLines(socket);
            lines.greet(control.substring(slash + 1), rank);
            return lines;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private void greet(String token, int rank) throws IOException {
        send("HELLO " + token + " " + rank);
        String[] welcome = read();
        if (welcome.length == 0) {
            throw new IOException("the supervisor closed the connection");
        }
        if (!welcome[0].equals("WELCOME")) {
            throw new RankRefusedException(String.join(" ", welcome));
        }
        restored = welcome.length > 1 ? Path.of(decoded(welcome[1])) : null;
    }

    /** The file of the state that the rank goes on from; empty at the beginning. */
    public Optional<Path> restored() {
        return Optional.ofNullable(restored);
    }

    /** Sends one line, whose values are {@link #encoded}. */
    public void send(String line) throws IOException {
        synchronized (out) {
            out.write((line + "\n").getBytes(UTF_8));
            out.flush();
        }
    }

    /**
     * The words of the next line; none when the supervisor has gone. Waits. What it says only to be heard is not for the caller.
     *
     * @throws java.net.SocketTimeoutException if nothing was heard for the rank's lease
     */
    public String[] read() throws IOException {
        while (true) {
            String line = in.readLine();
            String[] words = line == null ? new String[0] : line.split(" ", -1);
            switch (words.length == 0 ? "" : words[0]) {
                case "LEASE" -> socket.setSoTimeout(Integer.parseInt(words[1]));
                case "PING" -> {}
                default -> {
                    return words;
                }
            }
        }
    }

    /** A value as it is in a line. */
    public static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }

    /** Its inverse. */
    public static String decoded(String text) {
        return URLDecoder.decode(text, UTF_8);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
