// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.experiment;

import io.albm.bench.load.Answers;
import io.albm.core.node.NodeAddress;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One thread of one client: asks, waits for the answer, asks again, as the paper's load tools did. Keeps its connection
 * while it can.
 */
final class ClosedLoop implements Runnable {
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final long PAUSE_AFTER_FAILURE_MILLIS = 100;
    private static final byte[] GOOD = "HTTP/1.1 200 ".getBytes(StandardCharsets.US_ASCII);
    private static final int LARGEST_ANSWER = 4096;

    private final NodeAddress proxy;
    private final SplittableRandom random;
    private final Function<RandomGenerator, RequestKind> mix;
    private final long endNanos;
    private final Answers answers;
    private final byte[] buffer = new byte[LARGEST_ANSWER];
    private @Nullable Socket socket;

    /**
     * Asks until a moment on {@link System#nanoTime}'s clock.
     *
     * @param mix draws the next request
     */
    ClosedLoop(
            NodeAddress proxy, long seed, Function<RandomGenerator, RequestKind> mix, long endNanos, Answers answers) {
        this.proxy = proxy;
        this.random = new SplittableRandom(seed);
        this.mix = mix;
        this.endNanos = endNanos;
        this.answers = answers;
    }

    @Override
    public void run() {
        try {
            while (System.nanoTime() < endNanos) {
                ask(mix.apply(random));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            disconnect();
        }
    }

    private void ask(RequestKind kind) throws InterruptedException {
        long began = System.nanoTime();
        String failure = attempt(kind);
        if (failure == null) {
            answers.answered(began, System.nanoTime());
        } else {
            answers.failed(kind.path() + " " + failure);
            disconnect();
            Thread.sleep(PAUSE_AFTER_FAILURE_MILLIS);
        }
    }

    /** Null if all went well. */
    private @Nullable String attempt(RequestKind kind) {
        try {
            Socket connected = connected();
            String request = "GET " + kind.path() + " HTTP/1.1\r\nHost: " + proxy + "\r\n\r\n";
            connected.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            int length = readAnswer(connected);
            return startsWithGood(length) ? null : firstLine(length);
        } catch (SocketTimeoutException e) {
            return "no answer within " + TIMEOUT_MILLIS / 1000 + " s";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Until the body of one byte has come. */
    private int readAnswer(Socket connected) throws IOException {
        int length = 0;
        while (length < 5 || !isEndOfHead(length - 5)) {
            int read = length == LARGEST_ANSWER
                    ? -1
                    : connected.getInputStream().read(buffer, length, LARGEST_ANSWER - length);
            if (read < 0) {
                if (length > 0) {
                    return length; // an error of the proxy, with another body
                }
                throw new IOException("connection closed");
            }
            length += read;
            if (length >= GOOD.length && !startsWithGood(length)) {
                return length;
            }
        }
        return length;
    }

    private boolean isEndOfHead(int at) {
        return buffer[at] == '\r' && buffer[at + 1] == '\n' && buffer[at + 2] == '\r' && buffer[at + 3] == '\n';
    }

    private boolean startsWithGood(int length) {
        if (length < GOOD.length) {
            return false;
        }
        return Arrays.equals(buffer, 0, GOOD.length, GOOD, 0, GOOD.length);
    }

    private String firstLine(int length) {
        String text = new String(buffer, 0, length, StandardCharsets.ISO_8859_1);
        return text.lines().findFirst().orElse("nothing");
    }

    private Socket connected() throws IOException {
        Socket open = socket;
        if (open == null) {
            open = new Socket(proxy.host(), proxy.port());
            open.setTcpNoDelay(true);
            open.setSoTimeout(TIMEOUT_MILLIS);
            socket = open;
        }
        return open;
    }

    private void disconnect() {
        Socket open = socket;
        socket = null;
        if (open != null) {
            try {
                open.close();
            } catch (IOException e) {
                // It is not used any more.
            }
        }
    }
}
