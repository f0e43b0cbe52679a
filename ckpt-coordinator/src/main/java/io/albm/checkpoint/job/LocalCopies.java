// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import io.albm.checkpoint.protocol.Digests;
import io.albm.checkpoint.protocol.LocalCopy;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/** The directory of a job on this node: ranks' states on their way to the striped store and back. */
final class LocalCopies {
    private static final int BUFFER = 1 << 16;

    private final Path saved;
    private final Path restored;

    LocalCopies(Path directory) throws IOException {
        saved = Files.createDirectories(directory.resolve("saved"));
        restored = Files.createDirectories(directory.resolve("restored"));
    }

    /** Where a rank writes its state. */
    Path saved(long checkpoint, int rank) {
        return saved.resolve(checkpoint + "-" + rank);
    }

    /** Where a rank finds the state that it goes on from. */
    Path restored(int rank) {
        return restored.resolve("rank-" + rank);
    }

    /**
     * Reads a saved state once.
     *
     * @return its SHA-256
     * @throws IOException if it is not what the rank said that it wrote
     */
    String verified(long checkpoint, int rank, LocalCopy copy) throws IOException {
        Path file = saved(checkpoint, rank);
        CRC32C crc = new CRC32C();
        MessageDigest sha256 = Digests.sha256();
        long size = 0;
        try (InputStream in = Files.newInputStream(file)) {
            byte[] buffer = new byte[BUFFER];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                crc.update(buffer, 0, read);
                sha256.update(buffer, 0, read);
                size += read;
            }
        }
        if (size != copy.size() || crc.getValue() != copy.crc32c()) {
            throw new IOException("local copy " + file + " is torn: " + size + " bytes, the rank wrote " + copy.size());
        }
        return Digests.hex(sha256.digest());
    }

    /** Removes the saved states of a checkpoint. */
    void discard(long checkpoint) throws IOException {
        for (Path file : list(saved)) {
            if (file.getFileName().toString().startsWith(checkpoint + "-")) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Removes everything that an earlier supervisor left. */
    void clear() throws IOException {
        for (Path directory : List.of(saved, restored)) {
            for (Path file : list(directory)) {
                Files.deleteIfExists(file);
            }
        }
    }

    private static List<Path> list(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        } catch (NoSuchFileException e) {
            return List.of();
        }
    }
}
