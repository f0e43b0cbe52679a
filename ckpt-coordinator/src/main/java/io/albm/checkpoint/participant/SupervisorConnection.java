// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.participant;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.zip.CRC32C;
import java.util.zip.CheckedOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Lines of text to and from the supervisor; docs/checkpointing.md lists them, so that a rank may be written in any
 * language. A thread of its own reads what the supervisor wants; the program's thread looks at it at safe points.
 */
final class SupervisorConnection implements AutoCloseable {
    /** As of a process that was killed: it did not end by its own will. */
    private static final int EXIT_ORPHANED = 137;

    /** What the supervisor wants of this rank now. */
    private sealed interface Request {
        record Nothing() implements Request {}

        record Hold(long checkpoint) implements Request {}

        record Save(long checkpoint, long step, Path file, boolean last) implements Request {}

        /** The last checkpoint of a job that is being halted is saved; what becomes of it decides. */
        record Stay(long checkpoint) implements Request {}
    }

    /** No safe point was reached yet. */
    private static final long NONE = -1;

    private static final Request NOTHING = new Request.Nothing();

    private final Socket socket;
    private final BufferedReader in;
    private final OutputStream out;
    private @Nullable Path restored;
    private @Nullable List<String> exchanged;
    private volatile Request request = NOTHING;
    private volatile long begun = NONE;
    private boolean reported;
    private volatile boolean closed;
    private volatile boolean exiting;
    private long savedCheckpoint;
    private CompletableFuture<Long> durable = CompletableFuture.completedFuture(0L);

    private SupervisorConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
        this.out = socket.getOutputStream();
    }

    /** @param control {@code host:port/token} */
    static SupervisorConnection open(String control, int rank) throws IOException {
        int colon = control.lastIndexOf(':');
        int slash = control.indexOf('/', colon);
        if (colon < 0 || slash < 0) {
            throw new IOException("ALBM_CONTROL is \"" + control + "\", expected host:port/token");
        }
        int port = Integer.parseInt(control.substring(colon + 1, slash));
        Socket socket = new Socket();
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress(control.substring(0, colon), port), 10_000);
        SupervisorConnection connection = new SupervisorConnection(socket);
        connection.greet(control.substring(slash + 1), rank);
        return connection;
    }

    private void greet(String token, int rank) throws IOException {
        send("HELLO " + token + " " + rank);
        String[] welcome = words(in.readLine());
        if (!welcome[0].equals("WELCOME")) {
            throw new IOException("the supervisor refused this rank: " + String.join(" ", welcome));
        }
        restored = welcome.length > 1 ? Path.of(decoded(welcome[1])) : null;
        Thread.ofPlatform().daemon().name("albm-participant").start(this::listen);
    }

    synchronized @Nullable Path restored() {
        return restored;
    }

    /**
     * The step is written before the request is read, and the listening thread does it the other way round: either this
     * thread sees the hold and waits here, or the supervisor hears that this step has begun.
     */
    void safePoint(long step, StateWriter writer) throws IOException {
        begun = step;
        if (request instanceof Request.Nothing) {
            return;
        }
        if (decided(step) instanceof Request.Save save && step == save.step()) {
            save(save, writer);
            stay();
        }
    }

    boolean needsCheckpoint() {
        return !(request instanceof Request.Nothing);
    }

    boolean shouldExit() {
        return exiting;
    }

    synchronized CompletableFuture<Long> durable() {
        return durable.copy();
    }

    /** So that no rank computes what would be lost, and all end at the same step. */
    private synchronized void stay() throws IOException {
        try {
            while (request instanceof Request.Stay) {
                wait();
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Waits while ranks gather. */
    private synchronized Request decided(long step) throws IOException {
        try {
            while (request instanceof Request.Hold hold) {
                report(hold, step - 1);
                wait();
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        return request;
    }

    /** Once for each hold; a rank that is still starting reports at its first safe point. */
    private synchronized void report(Request.Hold hold, long step) throws IOException {
        if (!reported) {
            reported = true;
            send("AT " + hold.checkpoint() + " " + step);
        }
    }

    private synchronized void hold(Request.Hold hold) throws IOException {
        reported = false;
        request = hold;
        if (begun != NONE) {
            report(hold, begun);
        }
    }

    private void save(Request.Save save, StateWriter writer) throws IOException {
        try {
            CRC32C crc = new CRC32C();
            long size = writeDurably(save.file(), crc, writer);
            saved(save);
            send("SAVED " + save.checkpoint() + " " + size + " " + crc.getValue());
        } catch (IOException e) {
            System.err.println("albm: checkpoint " + save.checkpoint() + " is given up: " + e);
            send("FAILED " + save.checkpoint() + " " + encoded(String.valueOf(e.getMessage())));
        } finally {
            settled(save);
        }
    }

    /** The name appears only when the content is on the disk. */
    private static long writeDurably(Path file, CRC32C crc, StateWriter writer) throws IOException {
        Path partial = file.resolveSibling(file.getFileName() + ".tmp");
        try (FileChannel channel = FileChannel.open(
                partial, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            OutputStream buffered =
                    new BufferedOutputStream(new CheckedOutputStream(Channels.newOutputStream(channel), crc), 1 << 16);
            writer.write(buffered);
            buffered.flush();
            channel.force(true);
            Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
            return channel.size();
        }
    }

    private synchronized void settled(Request.Save save) {
        if (request.equals(save)) {
            request =
                    savedCheckpoint == save.checkpoint() && save.last() ? new Request.Stay(save.checkpoint()) : NOTHING;
        }
    }

    private synchronized void saved(Request.Save save) {
        savedCheckpoint = save.checkpoint();
        durable = new CompletableFuture<>();
    }

    private synchronized void released(long checkpoint) {
        request = NOTHING;
        if (checkpoint == savedCheckpoint) {
            CheckpointAbortedException aborted = new CheckpointAbortedException(checkpoint);
            CompletableFuture<Long> given = durable;
            ForkJoinPool.commonPool().execute(() -> given.completeExceptionally(aborted));
        }
    }

    private synchronized void committed(long checkpoint) {
        if (checkpoint == savedCheckpoint) {
            durable.completeAsync(() -> checkpoint);
        }
    }

    synchronized List<String> exchange(String value) throws IOException {
        exchanged = null;
        send("EXCHANGE " + encoded(value));
        try {
            while (exchanged == null) {
                wait();
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
        return exchanged;
    }

    private static IOException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        return new IOException("interrupted while the ranks gather", cause);
    }

    private void listen() {
        try {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                take(words(line));
            }
        } catch (SocketTimeoutException e) {
            System.err.println("albm: nothing was heard for the lease of this rank");
        } catch (IOException e) {
            // The same as an orderly end: the supervisor is gone.
        }
        if (!closed) {
            System.err.println("albm: the supervisor of this job is gone; this rank ends");
            Runtime.getRuntime().halt(EXIT_ORPHANED);
        }
    }

    private synchronized void take(String[] words) throws IOException {
        switch (words[0]) {
            case "HOLD" -> hold(new Request.Hold(Long.parseLong(words[1])));
            case "SAVE" ->
                request = new Request.Save(
                        Long.parseLong(words[1]),
                        Long.parseLong(words[2]),
                        Path.of(decoded(words[3])),
                        words.length > 4 && words[4].equals("last"));
            case "RELEASE" -> released(Long.parseLong(words[1]));
            case "DURABLE" -> committed(Long.parseLong(words[1]));
            case "EXIT" -> {
                exiting = true;
                request = NOTHING;
            }
            case "LEASE" -> socket.setSoTimeout(Integer.parseInt(words[1]));
            case "PING" -> {
                // That it was heard is all that it says.
            }
            case "ALL" -> exchanged = values(words);
            default -> System.err.println("albm: the supervisor said something unknown: " + words[0]);
        }
        notifyAll();
    }

    private static List<String> values(String[] words) {
        List<String> values = new ArrayList<>();
        for (int i = 1; i < words.length; i++) {
            values.add(decoded(words[i]));
        }
        return List.copyOf(values);
    }

    private void send(String line) throws IOException {
        synchronized (out) {
            out.write((line + "\n").getBytes(UTF_8));
            out.flush();
        }
    }

    private static String[] words(@Nullable String line) throws IOException {
        if (line == null) {
            throw new IOException("the supervisor closed the connection");
        }
        return line.split(" ", -1);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, UTF_8);
    }

    @Override
    public void close() throws IOException {
        send("END");
        closed = true;
        socket.close();
    }
}
