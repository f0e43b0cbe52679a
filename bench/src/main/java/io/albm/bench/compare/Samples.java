// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.compare;

import io.albm.core.node.NodeAddress;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Asks a contender for the document ten times a second, beside the load, and compares every byte of the answers: the load
 * generator looks at the status alone. Each sample has a connection of its own.
 */
public final class Samples implements AutoCloseable {
    private static final Duration INTERVAL = Duration.ofMillis(100);
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final byte[] END_OF_HEAD = "\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final String path;
    private final byte[] content;
    private final NodeAddress server;
    private final SocketFactory sockets;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final Thread thread = Thread.ofPlatform().name("samples").daemon().unstarted(this::compare);
    private final AtomicInteger compared = new AtomicInteger();
    private volatile @Nullable String wrong;

    private Samples(Scenario scenario, NodeAddress server) throws GeneralSecurityException {
        this.path = scenario.payload().path();
        this.content = scenario.payload().content();
        this.server = server;
        this.sockets = scenario.scheme().equals("https") ? believing() : SocketFactory.getDefault();
    }

    /** Sockets that believe every server: the certificate was made a minute ago, for this run. */
    private static SocketFactory believing() throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
        return context.getSocketFactory();
    }

    /** Begins. */
    public static Samples of(Scenario scenario, Contender contender) throws GeneralSecurityException {
        Samples samples = new Samples(scenario, contender.address());
        samples.thread.start();
        return samples;
    }

    /** How many answers were compared so far. */
    public int compared() {
        return compared.get();
    }

    /** What was wrong first; null if nothing was. */
    public @Nullable String wrong() {
        return wrong;
    }

    @Override
    public void close() {
        stop.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void compare() {
        try {
            do {
                judge(answer());
                compared.incrementAndGet();
            } while (wrong == null && !stop.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS));
        } catch (IOException e) {
            wrong = "a sample failed: " + e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private byte[] answer() throws IOException {
        try (Socket socket = sockets.createSocket(server.host(), server.port())) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            String request = "GET %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n".formatted(path, server);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return socket.getInputStream().readAllBytes();
        }
    }

    private void judge(byte[] answer) {
        int body = answer.length - content.length;
        if (body < END_OF_HEAD.length
                || !new String(answer, 0, body, StandardCharsets.ISO_8859_1).startsWith("HTTP/1.1 200 ")) {
            wrong = "a sample is no whole answer: " + answer.length + " bytes";
        } else if (!Arrays.equals(answer, body, answer.length, content, 0, content.length)
                || !Arrays.equals(answer, body - END_OF_HEAD.length, body, END_OF_HEAD, 0, END_OF_HEAD.length)) {
            wrong = "a sample has wrong bytes";
        }
    }
}
