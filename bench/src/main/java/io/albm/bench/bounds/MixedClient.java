// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.bounds;

import io.albm.core.node.NodeAddress;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/** A client that behaves now like this and now like that, a connection for each request, and looks at every byte. */
final class MixedClient implements Runnable {
    private static final int TIMEOUT_MILLIS = 30_000;
    private static final int PART = 16 << 10;
    private static final int SLOW_PART = 2 << 10;
    private static final int SLOW_WINDOW = 4 << 10;
    private static final int SLOW_PAUSE_MILLIS = 50;
    private static final long SLOW_PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(4);
    private static final int LARGEST_RANGE = 256 << 10;

    private final NodeAddress server;
    private final List<PatternedDocument> documents;
    private final SplittableRandom random;
    private final long endNanos;
    private final MixTally tally;
    private final byte[] buffer = new byte[PART];

    /** Asks until a moment on {@link System#nanoTime}'s clock. */
    MixedClient(NodeAddress server, List<PatternedDocument> documents, long seed, long endNanos, MixTally tally) {
        this.server = server;
        this.documents = documents;
        this.random = new SplittableRandom(seed);
        this.endNanos = endNanos;
        this.tally = tally;
    }

    @Override
    public void run() {
        while (System.nanoTime() < endNanos) {
            PatternedDocument document = documents.get(random.nextInt(documents.size()));
            Behaviour behaviour = Behaviour.draw(random);
            try (Socket socket = new Socket()) {
                ask(socket, document, behaviour);
            } catch (IOException e) {
                tally.failed(behaviour + " " + e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    /** What is asked for: the bytes from one place to another, the last not included. */
    private record Part(long from, long to) {}

    private void ask(Socket socket, PatternedDocument document, Behaviour behaviour)
            throws IOException, InterruptedException {
        Part part = behaviour == Behaviour.RANGE ? range(document) : new Part(0, document.length());
        if (behaviour == Behaviour.SLOW) {
            socket.setReceiveBufferSize(SLOW_WINDOW);
        }
        socket.setSoTimeout(TIMEOUT_MILLIS);
        socket.connect(new InetSocketAddress(server.host(), server.port()), TIMEOUT_MILLIS);
        String range = behaviour == Behaviour.RANGE ? "Range: bytes=%d-%d\r\n".formatted(part.from, part.to - 1) : "";
        String request =
                "GET %s HTTP/1.1\r\nHost: %s\r\n%sConnection: close\r\n\r\n".formatted(document.path(), server, range);
        socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        InputStream in = behaviour == Behaviour.SLOW
                ? socket.getInputStream()
                : new BufferedInputStream(socket.getInputStream(), PART);
        Head head = Head.read(in);
        if (head.status() == 503) {
            tally.refused();
        } else if (head.status() != (behaviour == Behaviour.RANGE ? 206 : 200)
                || head.contentLength() != part.to - part.from) {
            tally.failed("%s %s".formatted(behaviour, head));
        } else {
            take(in, document, part, behaviour);
        }
    }

    private Part range(PatternedDocument document) {
        long from = random.nextLong(document.length());
        long most = Math.min(LARGEST_RANGE, document.length() - from);
        return new Part(from, from + 1 + random.nextLong(most));
    }

    /** What a server's head says. */
    private record Head(int status, long contentLength) {
        static Head read(InputStream in) throws IOException {
            String status = line(in);
            if (!status.startsWith("HTTP/1.1 ")) {
                throw new IOException("answered '" + status + "'");
            }
            long length = -1;
            for (String line = line(in); !line.isEmpty(); line = line(in)) {
                if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                    length = Long.parseLong(
                            line.substring("content-length:".length()).strip());
                }
            }
            return new Head(Integer.parseInt(status.substring(9, 12)), length);
        }

        private static String line(InputStream in) throws IOException {
            StringBuilder line = new StringBuilder();
            for (int next = in.read(); next != '\n'; next = in.read()) {
                if (next < 0) {
                    throw new IOException("closed within the head");
                }
                if (next != '\r') {
                    line.append((char) next);
                }
            }
            return line.toString();
        }
    }

    private void take(InputStream in, PatternedDocument document, Part part, Behaviour behaviour)
            throws IOException, InterruptedException {
        long end = behaviour == Behaviour.ABORT ? part.from + random.nextLong(part.to - part.from) : part.to;
        long patience = System.nanoTime() + SLOW_PATIENCE_NANOS;
        long position = part.from;
        while (position < end) {
            int most = behaviour == Behaviour.SLOW ? SLOW_PART : PART;
            int read = in.read(buffer, 0, (int) Math.min(most, end - position));
            if (read < 0) {
                tally.failed("%s cut".formatted(behaviour));
                return;
            }
            if (!document.matches(buffer, read, position)) {
                tally.corrupt("%s %s at %d".formatted(behaviour, document.path(), position));
                return;
            }
            position += read;
            if (behaviour == Behaviour.SLOW) {
                if (System.nanoTime() > patience) {
                    break;
                }
                Thread.sleep(SLOW_PAUSE_MILLIS);
            }
        }
        tally.right(position - part.from);
    }
}
