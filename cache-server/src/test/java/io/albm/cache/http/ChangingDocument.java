// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.albm.cache.http.RawClient.Response;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * A file that changes while it is served, and all that it ever was, by entity tag: a response is right if its bytes are
 * those of the version that its tag names.
 */
final class ChangingDocument {
    private static final Pattern RANGE = Pattern.compile("bytes (\\d+)-(\\d+)/(\\d+)");
    private static final Pattern PART =
            Pattern.compile("\r\n--\\w+\r\n(?:Content-Type: [^\r]+\r\n)?Content-Range: ([^\r]+)\r\n\r\n");

    /** A write that takes longer may leave half of itself alone for so long that it counts as a version. */
    private static final Duration STALL = Duration.ofMillis(25);

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Semaphore answers = new Semaphore(0);
    private final Path file;
    private final int bytes;
    private final boolean compressedBeside;
    private final Map<String, byte[]> versions = new ConcurrentHashMap<>();
    private final SplittableRandom random;
    private byte[] current;
    private volatile int stalls;

    /**
     * Writes the first version.
     *
     * @param compressedBeside whether each version is beside it in gzip
     */
    ChangingDocument(Path file, int bytes, boolean compressedBeside) throws IOException {
        this.file = file;
        this.bytes = bytes;
        this.compressedBeside = compressedBeside;
        random = new SplittableRandom(bytes);
        current = fresh();
        remember(current);
        Files.write(file, current);
    }

    String path() {
        return "/" + file.getFileName();
    }

    /** Hexadecimal digits: random, and yet they compress. */
    private byte[] fresh() {
        byte[] digits = new byte[bytes / 2];
        random.nextBytes(digits);
        return HexFormat.of().formatHex(digits).getBytes(StandardCharsets.US_ASCII);
    }

    private void remember(byte[] content) {
        versions.put(tag(content), content);
    }

    private static String tag(byte[] content) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(content);
            return "\"" + HexFormat.of().formatHex(hash, 0, 16) + "\"";
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    /** Changes between one whole version and the next. */
    synchronized void change(FileChange change) throws IOException {
        byte[] next = change.next(current, fresh());
        remember(next);
        long began = System.nanoTime();
        change.apply(file, current, next);
        if (System.nanoTime() - began > STALL.toNanos()) {
            stalls++;
        }
        current = next;
        if (compressedBeside) {
            byte[] gzip = gzip(next);
            FileChange.REPLACED.apply(file.resolveSibling(file.getFileName() + ".gz"), gzip, gzip);
        }
    }

    /** With the change under way, which may turn out to be one. */
    private synchronized int stallsAfterThisChange() {
        return stalls;
    }

    private static byte[] gzip(byte[] content) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(out)) {
            gzip.write(content);
        }
        return out.toByteArray();
    }

    /**
     * Asks for it in a random way.
     *
     * @return whether all came that was promised
     * @throws AssertionError if a byte of the answer is not the tag's
     */
    boolean ask(RawClient client) throws IOException {
        int before = stalls;
        try {
            return judge(client.get(path(), wish()));
        } catch (AssertionError e) {
            if (stallsAfterThisChange() == before) {
                throw e;
            }
            return false;
        } finally {
            answers.release();
        }
    }

    /** Waits until it was asked for, and answered, so many times from now on. */
    void awaitAnswers(int count) throws InterruptedException {
        answers.drainPermits();
        assertThat(answers.tryAcquire(count, PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as("%d answers within %s", count, PATIENCE)
                .isTrue();
    }

    private String wish() {
        return switch (ThreadLocalRandom.current().nextInt(5)) {
            case 0 -> "Accept-Encoding: gzip";
            case 1 -> "Range: bytes=" + bytes / 8 + "-" + bytes / 3;
            case 2 -> "Range: bytes=0-99," + bytes / 4 + "-" + bytes / 3 + ",-10";
            default -> "Accept: */*";
        };
    }

    private boolean judge(Response response) throws IOException {
        if (response.status() != 200 && response.status() != 206) {
            assertThat(response.status()).as(path()).isIn(404, 416, 500, 503);
            return false;
        }
        int promised = Integer.parseInt(String.valueOf(response.header("content-length")));
        if ("gzip".equals(response.header("content-encoding"))) {
            assertThat(response.body())
                    .as("compressed documents are kept, and so never cut")
                    .hasSize(promised);
            byte[] plain = new GZIPInputStream(new ByteArrayInputStream(response.body())).readAllBytes();
            assertThat(versions).as(path()).containsKey(tag(plain));
            return true;
        }
        String tag = String.valueOf(response.header("etag"));
        byte[] version = versions.getOrDefault(tag, new byte[0]);
        assertThat(versions).as("a version of %s that was there", path()).containsKey(tag);
        String range = String.valueOf(response.header("content-range"));
        if (response.status() == 200) {
            assertSame(response.body(), version, 0, version.length);
        } else if (RANGE.matcher(range).matches()) {
            assertRange(response.body(), version, range);
        } else {
            assertParts(response, version);
        }
        if (response.body().length == promised) {
            return true;
        }
        assertThat(version.length).as("only what is streamed may be cut").isGreaterThan(2 << 20);
        return false;
    }

    private void assertRange(byte[] body, byte[] version, String range) {
        Matcher matcher = RANGE.matcher(range);
        assertThat(matcher.matches()).as(range).isTrue();
        assertThat(Integer.parseInt(matcher.group(3))).isEqualTo(version.length);
        int first = Integer.parseInt(matcher.group(1));
        assertSame(body, version, first, Integer.parseInt(matcher.group(2)) - first + 1);
    }

    /** As much as came of a body in several parts. */
    private void assertParts(Response response, byte[] version) {
        String body = new String(response.body(), StandardCharsets.ISO_8859_1);
        Matcher part = PART.matcher(body);
        while (part.find()) {
            Matcher range = RANGE.matcher(part.group(1));
            assertThat(range.matches()).as(part.group(1)).isTrue();
            int length = Integer.parseInt(range.group(2)) - Integer.parseInt(range.group(1)) + 1;
            int end = Math.min(body.length(), part.end() + length);
            assertRange(Arrays.copyOfRange(response.body(), part.end(), end), version, part.group(1));
        }
    }

    /** Whether the bytes are the version's from that place on, as many as came. */
    private void assertSame(byte[] body, byte[] version, int from, int length) {
        assertThat(body.length).isLessThanOrEqualTo(length);
        assertThat(Arrays.equals(body, 0, body.length, version, from, from + body.length))
                .as("bytes of %s from %d on are those of the version that the tag names", path(), from)
                .isTrue();
    }
}
