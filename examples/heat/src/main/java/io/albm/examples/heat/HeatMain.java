// SPDX-License-Identifier: Apache-2.0
package io.albm.examples.heat;

import io.albm.checkpoint.participant.Participant;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * {@code heat [--size N] [--steps N] [--pause MILLIS]} prints the SHA-256 of the final plate. Alone, or as the ranks of
 * {@code albm job run --ranks R}: the hash is the same for every R, and whatever happened on the way.
 */
public final class HeatMain {
    private HeatMain() {}

    /** Runs one rank. One that loses a neighbour ends, too: the supervisor takes all of them back. */
    public static void main(String[] args) throws Exception {
        try (Participant me = Participant.join()) {
            run(me, option(args, "--size", 512), option(args, "--steps", 1000), option(args, "--pause", 0));
        } catch (IOException | NumberFormatException e) {
            System.err.println("heat: cannot go on: " + e);
            System.exit(1);
        }
    }

    private static void run(Participant me, int size, int steps, int pause) throws Exception {
        Strip strip = new Strip(size, me.rank(), me.ranks());
        Optional<InputStream> saved = me.restore();
        if (saved.isPresent()) {
            strip.restore(new DataInputStream(saved.get()));
            saved.get().close();
        }
        try (Link above = new Link();
                Link below = new Link()) {
            connect(me, above, below);
            while (strip.step() < steps) {
                me.checkpoint(strip.step(), out -> strip.save(new DataOutputStream(out)));
                if (me.shouldExit()) {
                    System.out.println("heat: halted at step " + strip.step());
                    return;
                }
                strip.write(1, 1, above.out);
                strip.write(strip.rows(), 1, below.out);
                strip.read(strip.rows() + 1, below.rows(), below.in);
                strip.read(0, above.rows(), above.in);
                strip.advance();
                Thread.sleep(pause);
            }
            gather(me, strip, above, below);
        }
    }

    /** Every rank listens for the one below it and calls the one above; new ranks do it again after a rollback. */
    private static void connect(Participant me, Link above, Link below) throws IOException {
        try (ServerSocket listening = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            List<String> ports = me.exchange(Integer.toString(listening.getLocalPort()));
            if (me.rank() > 0) {
                int port = Integer.parseInt(ports.get(me.rank() - 1));
                above.open(new Socket(InetAddress.getLoopbackAddress(), port));
            }
            if (me.rank() < me.ranks() - 1) {
                below.open(listening.accept());
            }
        }
    }

    /** Each rank passes its rows and then those from below to the one above; the top rank digests them all. */
    private static void gather(Participant me, Strip strip, Link above, Link below) throws Exception {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        OutputStream to = me.rank() > 0 ? above.out : new DigestOutputStream(above.out, digest);
        strip.write(1, strip.rows(), new DataOutputStream(to));
        below.in.transferTo(to);
        to.flush();
        if (me.rank() == 0) {
            System.out.println(
                    "heat: step " + strip.step() + " sha256 " + HexFormat.of().formatHex(digest.digest()));
        }
    }

    private static int option(String[] args, String name, int otherwise) {
        int at = List.of(args).indexOf(name) + 1;
        return at == 0 || at == args.length ? otherwise : Integer.parseInt(args[at]);
    }

    /** TCP to a neighbour; never opened at the plate's edge, where it takes everything and gives nothing. */
    private static final class Link implements AutoCloseable {
        private Socket socket = new Socket();
        private DataInputStream in = new DataInputStream(InputStream.nullInputStream());
        private DataOutputStream out = new DataOutputStream(OutputStream.nullOutputStream());

        void open(Socket connected) throws IOException {
            connected.setTcpNoDelay(true);
            socket = connected;
            in = new DataInputStream(new BufferedInputStream(connected.getInputStream(), 1 << 16));
            out = new DataOutputStream(new BufferedOutputStream(connected.getOutputStream(), 1 << 16));
        }

        int rows() {
            return socket.isConnected() ? 1 : 0;
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }
}
