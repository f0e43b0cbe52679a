// SPDX-License-Identifier: Apache-2.0
package io.albm.it;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What was in a directory once. */
record DirectoryCopy(Path directory, Path copy) {
    static DirectoryCopy of(Path directory) throws IOException {
        DirectoryCopy made = new DirectoryCopy(directory, Path.of(directory + ".copy"));
        copy(directory, made.copy());
        return made;
    }

    /** Puts it back, in place of all that is there now. */
    void restore() throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> paths = Files.walk(directory)) {
            deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : deepestFirst) {
            Files.delete(path);
        }
        copy(copy, directory);
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) throws IOException {
                Files.createDirectories(to.resolve(from.relativize(path)));
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) throws IOException {
                Files.copy(path, to.resolve(from.relativize(path)));
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
