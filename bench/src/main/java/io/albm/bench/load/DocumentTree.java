// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.load;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * The documents below a directory, with a digest each.
 *
 * @param root the directory
 * @param documents by path
 */
public record DocumentTree(Path root, List<Document> documents) {
    private static final int LARGEST_GENERATED = 2 << 20;
    private static final int FOLDER_SIZE = 100;

    public DocumentTree {
        documents = List.copyOf(documents);
    }

    /**
     * Writes documents with SURGE-like sizes of at most 2 MiB; the same seed writes the same bytes.
     *
     * @param count at least 1
     */
    public static DocumentTree generate(Path root, long seed, int count) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        SurgeSizes sizes = new SurgeSizes(random, LARGEST_GENERATED);
        for (int n = 0; n < count; n++) {
            Path file = root.resolve("%03d".formatted(n / FOLDER_SIZE)).resolve("%05d.bin".formatted(n));
            Files.createDirectories(file.getParent());
            byte[] content = new byte[sizes.next()];
            random.nextBytes(content);
            Files.write(file, content);
        }
        return scan(root, count);
    }

    /**
     * Reads the regular files below a directory; links and hidden files are left out.
     *
     * @param most documents that are taken, in the order of their paths
     */
    public static DocumentTree scan(Path root, int most) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            List<Path> chosen = files.filter(DocumentTree::isServed)
                    .filter(file -> !isHidden(root.relativize(file)))
                    .sorted()
                    .limit(most)
                    .toList();
            return new DocumentTree(
                    root, chosen.stream().map(file -> document(root, file)).toList());
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    /** All bytes together. */
    public long totalBytes() {
        return documents.stream().mapToLong(Document::length).sum();
    }

    private static boolean isServed(Path file) {
        return Files.isRegularFile(file) && !Files.isSymbolicLink(file) && Files.isReadable(file);
    }

    private static boolean isHidden(Path relative) {
        return segments(relative).anyMatch(segment -> segment.startsWith("."));
    }

    private static Stream<String> segments(Path relative) {
        return StreamSupport.stream(relative.spliterator(), false).map(Path::toString);
    }

    private static Document document(Path root, Path file) {
        String path = segments(root.relativize(file))
                .map(segment ->
                        URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20"))
                .collect(Collectors.joining("/", "/", ""));
        MessageDigest digest = sha256();
        try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
            long length = in.transferTo(OutputStream.nullOutputStream());
            return new Document(path, length, HexFormat.of().formatHex(digest.digest()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }

    /** The documents in an order of popularity that has nothing to do with their paths. */
    List<Document> shuffled(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] order = IntStream.range(0, documents.size()).toArray();
        for (int i = order.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int swapped = order[i];
            order[i] = order[j];
            order[j] = swapped;
        }
        return IntStream.of(order).mapToObj(documents::get).toList();
    }
}
