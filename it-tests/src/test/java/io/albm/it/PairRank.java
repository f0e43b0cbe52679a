// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import io.albm.checkpoint.participant.Participant;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The program of a job of two ranks which a test can hold: it computes {@link PairState}s until the file {@code end} is in the
 * directory that it was given.
 */
public final class PairRank {
    /** While it is there, rank 1 stops in the middle of writing its state. */
    static final String HOLD_SAVING = "hold-saving";

    /** Rank 1 stands there. */
    static final String SAVING = "saving";

    /** A rank has heard that a checkpoint is wanted; with its number behind. */
    static final String ASKED = "asked-";

    static final String END = "end";

    private static final int PAUSE_MILLIS = 4;

    private final Participant me;
    private final Path gates;
    private final PairState state;

    private PairRank(Participant me, Path gates) {
        this.me = me;
        this.gates = gates;
        this.state = new PairState(me.rank());
    }

    /** Runs one rank; its argument is the directory. */
    public static void main(String[] args) throws InterruptedException {
        try (Participant me = Participant.join()) {
            new PairRank(me, Path.of(args[0])).run();
        } catch (IOException e) {
            System.err.println("cannot go on: " + e);
            System.exit(1);
        }
    }

    private void run() throws IOException, InterruptedException {
        Optional<InputStream> saved = me.restore();
        if (saved.isPresent()) {
            try (InputStream in = saved.get()) {
                state.restore(in.readAllBytes());
            }
        }
        Thread.ofPlatform().daemon().start(this::sayWhenAsked);
        try (Socket other = meet();
                DataInputStream in = new DataInputStream(other.getInputStream());
                DataOutputStream out = new DataOutputStream(other.getOutputStream())) {
            boolean ended = false;
            while (!ended) {
                me.checkpoint(state.step(), this::save);
                Thread.sleep(PAUSE_MILLIS);
                boolean end = Files.exists(gates.resolve(END));
                out.writeLong(state.halo());
                out.writeBoolean(end);
                state.advance(in.readLong());
                ended = in.readBoolean() || end;
            }
        }
        System.out.println("pair: step " + state.step() + " sha256 " + state.sha256());
    }

    private Socket meet() throws IOException {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        try (ServerSocket server = new ServerSocket(0, 1, loopback)) {
            List<String> ports = me.exchange(Integer.toString(server.getLocalPort()));
            Socket other = me.rank() == 0 ? server.accept() : new Socket(loopback, Integer.parseInt(ports.getFirst()));
            other.setTcpNoDelay(true);
            return other;
        }
    }

    private void save(OutputStream out) throws IOException {
        byte[] bytes = state.bytes();
        int half = bytes.length / 2;
        out.write(bytes, 0, half);
        out.flush();
        while (me.rank() == 1 && Files.exists(gates.resolve(HOLD_SAVING))) {
            touch(SAVING);
            pause();
        }
        out.write(bytes, half, bytes.length - half);
    }

    private void sayWhenAsked() {
        while (true) {
            if (me.needCheckpoint()) {
                touch(ASKED + me.rank());
            }
            pause();
        }
    }

    private void touch(String name) {
        try {
            Files.createFile(gates.resolve(name));
        } catch (FileAlreadyExistsException known) {
            // It was said before.
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
