// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * The main of a real server of paper P1: its memory is limited, and its requests hold memory.
 *
 * <p>What runs short is modelled by the kernel, not by us, where it may be asked to ({@link KernelsMemory}; {@link OwnMemory}
 * otherwise). A request takes its memory outside of the Java heap and
 * touches all of it, holds it for {@value #HOLD_MILLIS} ms, and meanwhile looks at pages of the documents, a mapped file
 * which the group's page cache holds as long as there is room. When the held memory grows, the kernel takes the
 * documents' pages away, and looking at them again waits for the disk: page reads per second go up, requests take longer,
 * so that more of them are there at a time and hold more. That is the knee of P1's experiment 3. A request for memory
 * that is not there at all is answered 503, as a server does whose allocation fails, before the kernel would have to
 * kill.
 *
 * <p>A thread for each connection, as servers of that time had, since page faults block.
 */
public final class MemoryServer {
    /** How long a request that holds memory runs on a healthy server. */
    static final int HOLD_MILLIS = 1000;

    private static final int LOOKS = 10;
    private static final int PAGES_PER_LOOK = 250;
    private static final int PAGES_OF_A_SMALL_REQUEST = 50;
    private static final int BACKLOG = 1024;
    private static final int STACK = 128 << 10;
    private static final String WARM = "/warm";
    private static final int BOOKS_MILLIS = 50;

    /** What a server is besides its documents and requests, as control groups count it. */
    private static final long PROCESS_BYTES = 60L << 20;

    private final ServerMemory memory;

    private MemoryServer(ServerMemory memory) {
        this.memory = memory;
    }

    /**
     * Serves until the process ends.
     *
     * @param arguments file and bytes of the documents, how many bytes requests may hold at a time; and if the process is to
     *     limit its memory itself, the directory for its books and the limit
     */
    public static void main(String... arguments) throws IOException {
        Path file = Path.of(arguments[0]);
        int documentBytes = Integer.parseInt(arguments[1]);
        long mostHeld = Long.parseLong(arguments[2]);
        Documents documents = Documents.write(file, documentBytes);
        MemoryServer server = new MemoryServer(
                arguments.length == 3
                        ? new KernelsMemory(documents, mostHeld)
                        : limited(file, mostHeld, Path.of(arguments[3]), Long.parseLong(arguments[4])));
        try (ServerSocket listening = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress())) {
            System.out.println("READY 127.0.0.1:" + listening.getLocalPort());
            while (true) {
                Socket client = listening.accept();
                new Thread(null, () -> server.serve(client), "client", STACK).start();
            }
        }
    }

    private static ServerMemory limited(Path file, long mostHeld, Path directory, long limit) throws IOException {
        OwnMemory memory = new OwnMemory(
                file,
                Math.toIntExact((limit - PROCESS_BYTES) / OwnMemory.FRAME),
                Math.toIntExact(mostHeld / OwnMemory.FRAME));
        Books books = Books.open(directory, limit);
        Thread.ofPlatform().daemon().name("books").start(() -> keep(books, memory));
        return memory;
    }

    private static void keep(Books books, OwnMemory memory) {
        try {
            while (true) {
                books.write(PROCESS_BYTES + memory.usedBytes(), memory.documentBytes(), memory.reads());
                Thread.sleep(BOOKS_MILLIS);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void serve(Socket client) {
        try (client) {
            client.setTcpNoDelay(true);
            InputStream in = new BufferedInputStream(client.getInputStream());
            Optional<String> path = nextPath(in);
            while (path.isPresent()) {
                client.getOutputStream().write(answer(path.get()));
                path = nextPath(in);
            }
        } catch (IOException e) {
            // The client went away: its requests are its own loss.
        }
    }

    /** The path of the next request, which has no body; none if the client is done. */
    private static Optional<String> nextPath(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.length() < 4 || !head.substring(head.length() - 4).equals("\r\n\r\n")) {
            int read = in.read();
            if (read < 0) {
                return Optional.empty();
            }
            head.append((char) read);
        }
        int from = head.indexOf(" ") + 1;
        return Optional.of(head.substring(from, head.indexOf(" ", from)));
    }

    private byte[] answer(String path) {
        if (path.equals(WARM)) {
            memory.restore();
            return response("200 OK");
        }
        long bytes = Arrays.stream(RequestKind.values())
                .filter(kind -> kind.path().equals(path))
                .mapToLong(RequestKind::heldBytes)
                .findFirst()
                .orElse(0);
        return bytes == 0 ? small() : holding(bytes);
    }

    private byte[] small() {
        memory.look(PAGES_OF_A_SMALL_REQUEST);
        return response("200 OK");
    }

    private byte[] holding(long bytes) {
        ServerMemory.Held held = memory.hold(bytes).orElse(null);
        if (held == null) {
            return response("503 Out Of Memory");
        }
        try {
            for (int look = 0; look < LOOKS; look++) {
                memory.look(PAGES_PER_LOOK);
                Thread.sleep(HOLD_MILLIS / LOOKS);
            }
            return response("200 OK");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return response("503 Interrupted");
        } finally {
            held.close();
        }
    }

    private static byte[] response(String status) {
        return ("HTTP/1.1 " + status + "\r\nContent-Type: text/plain\r\nContent-Length: 1\r\n\r\nx")
                .getBytes(StandardCharsets.US_ASCII);
    }
}
