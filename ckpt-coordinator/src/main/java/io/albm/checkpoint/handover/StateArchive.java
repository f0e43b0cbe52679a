// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.handover;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.albm.checkpoint.rank.StateFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * A directory as one file: a ZIP archive, not compressed, which is the storage's task. Its first entry, an empty one, tells
 * it from a file that a program handed over. Files and directories only; neither owners nor permissions are kept.
 */
final class StateArchive {
    private static final String MARK = ".albm-directory";

    /** APPNOTE.TXT 4.3.7: a local file header has 30 bytes, then the name. */
    private static final int NAME_AT = 30;

    private static final byte[] SIGNATURE = {'P', 'K', 3, 4};

    private StateArchive() {}

    /** Writes a directory, its files in the order of their names, so that equal pages are found at equal places. */
    static StateFile.Content of(Path directory) {
        return out -> {
            ZipOutputStream zip = new ZipOutputStream(out);
            zip.setLevel(Deflater.NO_COMPRESSION);
            zip.putNextEntry(new ZipEntry(MARK));
            for (Path path : sorted(directory)) {
                boolean nested = Files.isDirectory(path);
                zip.putNextEntry(new ZipEntry(name(directory, path) + (nested ? "/" : "")));
                if (!nested) {
                    Files.copy(path, zip);
                }
            }
            zip.finish();
        };
    }

    /**
     * Looks whether a directory can be in an archive and come back from it as it is.
     *
     * @throws IOException if not, in words for the program's user
     */
    static void requireNames(Path directory) throws IOException {
        for (Path path : sorted(directory)) {
            name(directory, path);
        }
    }

    private static String name(Path directory, Path path) throws IOException {
        Path relative = directory.relativize(path);
        String name = relative.toString();
        if (!isText(relative)) {
            throw new IOException(
                    "the name " + name + " in it has bytes that are no text here and could not be restored;"
                            + " give it another name, or start this with LC_ALL=C.UTF-8 if it is UTF-8");
        }
        return name;
    }

    /** Who reads a name that is none in his locale gets signs in place of some bytes, which make another name. */
    private static boolean isText(Path path) {
        try {
            return Path.of(path.toString()).equals(path);
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private static List<Path> sorted(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            return paths.skip(1).sorted().toList();
        }
    }

    /** Whether a file begins as one of these archives do. */
    static boolean isArchive(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            byte[] head = in.readNBytes(NAME_AT + MARK.length());
            return head.length == NAME_AT + MARK.length()
                    && Arrays.equals(head, 0, SIGNATURE.length, SIGNATURE, 0, SIGNATURE.length)
                    && new String(head, NAME_AT, MARK.length(), US_ASCII).equals(MARK);
        }
    }

    /** Makes the directory anew. */
    static void unpack(Path archive, Path directory) throws IOException {
        Files.createDirectories(directory);
        try (ZipFile zip = new ZipFile(archive.toFile())) {
            for (ZipEntry entry : zip.stream().skip(1).toList()) {
                Path target = directory.resolve(entry.getName()).normalize();
                if (!target.startsWith(directory)) {
                    throw new IOException("the archive of a state has the name " + entry.getName());
                }
                if (entry.isDirectory()) {
                    Files.createDirectories(target);
                } else {
                    try (InputStream content = zip.getInputStream(entry)) {
                        Files.copy(content, target);
                    }
                }
            }
        }
    }
}
