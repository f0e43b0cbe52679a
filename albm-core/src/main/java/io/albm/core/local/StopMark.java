// SPDX-License-Identifier: Apache-2.0
package io.albm.core.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;

/**
 * When somebody was last told to stop the cluster whose processes he starts, in a file of its directory. A mark is for
 * whoever is at it then: who was killed may leave one, which is nothing to those who come later.
 */
final class StopMark {
    private static final String FILE = "stop";

    private StopMark() {}

    /** Tells it now. */
    static void set(Path directory) throws IOException {
        Path next = directory.resolve(FILE + ".next");
        Files.writeString(next, Instant.now().toString());
        Files.move(next, directory.resolve(FILE), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Whether it was told since. */
    static boolean isSetSince(Instant began, Path directory) {
        try {
            return !Instant.parse(Files.readString(directory.resolve(FILE))).isBefore(began);
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static void delete(Path directory) throws IOException {
        Files.deleteIfExists(directory.resolve(FILE));
    }
}
