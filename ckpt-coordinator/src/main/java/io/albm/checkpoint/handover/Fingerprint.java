// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.handover;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.HashMap;
import java.util.Map;

/**
 * Lengths and times of a state's files: equal as long as nobody writes to them, in the resolution of the file system's
 * clock. A later write is found by the checksum that every saved state has.
 */
record Fingerprint(Map<String, Entry> files) {
    record Entry(long size, FileTime modified) {}

    /** @throws IOException if there is something else than files and directories in it, or one goes away meanwhile */
    static Fingerprint of(Path state) throws IOException {
        Map<String, Entry> files = new HashMap<>();
        Files.walkFileTree(state, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                String name = state.relativize(file).toString();
                if (!attributes.isRegularFile()) {
                    throw new IOException((name.isEmpty() ? "it" : name)
                            + " is neither a file nor a directory; links are not followed");
                }
                files.put(name, new Entry(attributes.size(), attributes.lastModifiedTime()));
                return FileVisitResult.CONTINUE;
            }
        });
        return new Fingerprint(Map.copyOf(files));
    }
}
