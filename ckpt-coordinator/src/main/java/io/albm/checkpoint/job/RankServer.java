// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ProtocolException;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * Where ranks connect, one connection for each rank, lines of text (docs/checkpointing.md). Only who
 * knows the token, which is in the ranks' environment, gets in; each attempt of the job has a token of its own, so that
 * a rank of before is not heard.
 */
final class RankServer implements AutoCloseable {
    /** A line is a few words; a longer one is not from a rank. */
    private static final int MAX_LINE = 8192;

    /** Called on the connection's own thread. */
    interface Handler {
        /** A rank has connected. */
        void connected(int rank, Connection connection);

        /** A rank said something. */
        void said(int rank, Connection connection, String[] words);

        /** A rank's side of its connection is at its end. */
        void disconnected(int rank, Connection connection);
    }

    private final ServerSocket socket;
    private final Handler handler;
    private volatile String token = "";

    /** @param bind an IP address or a name of this machine, which the ranks' hosts reach */
    RankServer(String bind, Handler handler) throws IOException {
        this.handler = handler;
        this.socket = new ServerSocket(0, 128, InetAddress.getByName(bind));
        Thread.ofVirtual().name("rank-server").start(this::accept);
    }

    /** Makes a new token and returns what the next ranks get as {@code ALBM_CONTROL}. */
    String newControl() {
        byte[] random = new byte[16];
        new SecureRandom().nextBytes(random);
        token = HexFormat.of().formatHex(random);
        return socket.getInetAddress().getHostAddress() + ":" + socket.getLocalPort() + "/" + token;
    }

    private void accept() {
        while (!socket.isClosed()) {
            try {
                Socket accepted = socket.accept();
                Thread.ofVirtual().name("rank-connection").start(() -> serve(accepted));
            } catch (IOException e) {
                // Closed, or a connection that broke before it was accepted.
            }
        }
    }

    private void serve(Socket accepted) {
        try (accepted) {
            accepted.setTcpNoDelay(true);
            accepted.setKeepAlive(true);
            BufferedReader in = new BufferedReader(new InputStreamReader(accepted.getInputStream(), UTF_8), MAX_LINE);
            Connection connection = new Connection(accepted);
            String[] hello = words(in);
            if (hello.length != 3 || !hello[0].equals("HELLO") || !hello[1].equals(token)) {
                connection.send("REFUSED");
                return;
            }
            serve(Integer.parseInt(hello[2]), connection, in);
        } catch (IOException | NumberFormatException e) {
            // The rank is gone, or was none; its process tells the supervisor more.
        }
    }

    private void serve(int rank, Connection connection, BufferedReader in) throws IOException {
        handler.connected(rank, connection);
        try {
            for (String[] words = words(in); words.length > 0; words = words(in)) {
                handler.said(rank, connection, words);
            }
        } catch (ProtocolException e) {
            return;
        } catch (IOException e) {
            // A process that is killed before it has read all resets its connection.
        }
        handler.disconnected(rank, connection);
    }

    /** Empty at the end. */
    private static String[] words(BufferedReader in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                return new String[0];
            }
            if (line.length() == MAX_LINE) {
                throw new ProtocolException("a line of more than " + MAX_LINE + " characters");
            }
            line.append((char) c);
        }
        return line.toString().split(" ", -1);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    /** The way to one rank. A rank that is gone is not told; its death is noticed elsewhere. */
    static final class Connection {
        private final Socket socket;
        private final OutputStream out;

        private Connection(Socket socket) throws IOException {
            this.socket = socket;
            this.out = socket.getOutputStream();
        }

        /** Lets the rank see its end, upon which it ends; its own end is still heard. */
        void cut() {
            try {
                socket.shutdownOutput();
            } catch (IOException e) {
                // See above.
            }
        }

        synchronized void send(String line) {
            try {
                out.write((line + "\n").getBytes(UTF_8));
                out.flush();
            } catch (IOException e) {
                // See above.
            }
        }
    }
}
