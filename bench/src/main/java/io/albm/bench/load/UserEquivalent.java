// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.load;

import io.albm.core.node.NodeAddress;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One user equivalent of SURGE, the load of paper P2: asks for a page and its files one after another, HTTP/1.0 with a
 * connection for each, reads the page, and asks for the next. A closed loop: while an answer is late, nothing is asked.
 * Files are popular by Zipf's law and independent of each other; every body is compared with the document's digest. Begins
 * with a silence, so that users do not march in step.
 */
final class UserEquivalent implements Runnable {
    private static final int TIMEOUT_MILLIS = 60_000;
    private static final int PART = 16 << 10;
    private static final String GOOD = " 200 ";
    private static final int LONGEST_HEAD = 4 << 10;

    private final NodeAddress server;
    private final List<Document> byPopularity;
    private final Zipf popularity;
    private final SplittableRandom random;
    private final OffTimes off;
    private final long endNanos;
    private final Answers answers;
    private final byte[] buffer = new byte[PART];

    /** Asks until a moment on {@link System#nanoTime}'s clock. */
    UserEquivalent(
            NodeAddress server,
            List<Document> byPopularity,
            Zipf popularity,
            long seed,
            long endNanos,
            Answers answers) {
        this.server = server;
        this.byPopularity = byPopularity;
        this.popularity = popularity;
        this.random = new SplittableRandom(seed);
        this.off = new OffTimes(random);
        this.endNanos = endNanos;
        this.answers = answers;
    }

    @Override
    public void run() {
        try {
            while (rest(off.reading())) {
                page();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void page() throws InterruptedException {
        int files = off.embeddedFiles();
        ask();
        for (int file = 0; file < files && rest(off.browser()); file++) {
            ask();
        }
    }

    /** Whether there is time left after it. */
    private boolean rest(Duration silence) throws InterruptedException {
        long left = endNanos - System.nanoTime();
        if (left <= silence.toNanos()) {
            return false;
        }
        Thread.sleep(silence);
        return true;
    }

    private void ask() {
        Document document = byPopularity.get(popularity.next(random));
        long began = System.nanoTime();
        String failure = attempt(document);
        if (failure == null) {
            answers.answered(began, System.nanoTime());
        } else {
            answers.failed(failure);
        }
    }

    /** Null if all went well. */
    private @Nullable String attempt(Document document) {
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(TIMEOUT_MILLIS);
            socket.connect(new InetSocketAddress(server.host(), server.port()), TIMEOUT_MILLIS);
            String request = "GET " + document.path() + " HTTP/1.0\r\nHost: " + server + "\r\n\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return judge(document, new BufferedInputStream(socket.getInputStream(), PART));
        } catch (SocketTimeoutException e) {
            return "nothing for " + TIMEOUT_MILLIS / 1000 + " s";
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private @Nullable String judge(Document document, InputStream in) throws IOException {
        String head = head(in);
        int line = Math.max(0, head.indexOf('\r'));
        if (!head.substring(0, line).contains(GOOD)) {
            return "answered " + head.substring(0, line);
        }
        MessageDigest digest = DocumentTree.sha256();
        long length = 0;
        for (int part = in.read(buffer); part >= 0; part = in.read(buffer)) {
            digest.update(buffer, 0, part);
            length += part;
        }
        boolean right = length == document.length()
                && HexFormat.of().formatHex(digest.digest()).equals(document.sha256());
        return right ? null : "a body that is not the document's";
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.length() < LONGEST_HEAD && head.indexOf("\r\n\r\n", head.length() - 4) < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("closed before the end of the head");
            }
            head.append((char) next);
        }
        return head.toString();
    }
}
