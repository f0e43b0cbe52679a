// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/**
 * The main of a real server of paper P1: it runs in a memory control group, and its requests hold memory.
 *
 * <p>What runs short is modelled by the kernel, not by us. A request takes its memory outside of the Java heap and
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
    private static final int KIBIBYTE = 1024;
    private static final int BACKLOG = 1024;
    private static final int STACK = 128 << 10;
    private static final String WARM = "/warm";

    private final Documents documents;
    private final int allKibibytes;
    private final Semaphore freeKibibytes;

    private MemoryServer(Documents documents, long mostHeldBytes) {
        this.documents = documents;
        this.allKibibytes = Math.toIntExact(mostHeldBytes / KIBIBYTE);
        this.freeKibibytes = new Semaphore(allKibibytes);
    }

    /**
     * Serves until the process ends.
     *
     * @param arguments file and bytes of the documents, and how many bytes requests may hold at a time
     */
    public static void main(String... arguments) throws IOException {
        Documents documents = Documents.write(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
        MemoryServer server = new MemoryServer(documents, Long.parseLong(arguments[2]));
        try (ServerSocket listening = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress())) {
            System.out.println("READY 127.0.0.1:" + listening.getLocalPort());
            while (true) {
                Socket client = listening.accept();
                new Thread(null, () -> server.serve(client), "client", STACK).start();
            }
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
            return warm();
        }
        long bytes = Arrays.stream(RequestKind.values())
                .filter(kind -> kind.path().equals(path))
                .mapToLong(RequestKind::heldBytes)
                .findFirst()
                .orElse(0);
        return bytes == 0 ? small() : holding(bytes);
    }

    /** Waits until nothing is held any more, and reads what was pushed out. */
    private byte[] warm() {
        freeKibibytes.acquireUninterruptibly(allKibibytes);
        documents.lookAtAll();
        freeKibibytes.release(allKibibytes);
        return response("200 OK");
    }

    private byte[] small() {
        documents.lookAtRandom(PAGES_OF_A_SMALL_REQUEST);
        return response("200 OK");
    }

    private byte[] holding(long bytes) {
        int kibibytes = Math.toIntExact(bytes / KIBIBYTE);
        if (!freeKibibytes.tryAcquire(kibibytes)) {
            return response("503 Out Of Memory");
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment held = arena.allocate(bytes); // zeroed, and so touched
            for (int look = 0; look < LOOKS; look++) {
                documents.lookAtRandom(PAGES_PER_LOOK);
                Thread.sleep(HOLD_MILLIS / LOOKS);
            }
            return response(held.byteSize() == bytes ? "200 OK" : "500 Wrong Size");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return response("503 Interrupted");
        } finally {
            freeKibibytes.release(kibibytes);
        }
    }

    private static byte[] response(String status) {
        return ("HTTP/1.1 " + status + "\r\nContent-Type: text/plain\r\nContent-Length: 1\r\n\r\nx")
                .getBytes(StandardCharsets.US_ASCII);
    }
}
