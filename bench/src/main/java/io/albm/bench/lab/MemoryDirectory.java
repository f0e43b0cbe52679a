// SPDX-License-Identifier: Apache-2.0
package io.albm.bench.lab;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory of this process on a file system that outlives it, such as one in memory. Its name says whose it is, by process id and
 * start time. It is removed when it is closed and on a SIGTERM; {@link #make} removes what processes that are dead have left all the
 * same, and nothing else.
 */
public final class MemoryDirectory implements AutoCloseable {
    /** Where files cost memory and no disk. */
    public static final Path IN_MEMORY = Path.of("/dev/shm");

    private static final Logger LOG = LoggerFactory.getLogger(MemoryDirectory.class);
    private static final String PREFIX = "albm-lab-";
    private static final Pattern NAME = Pattern.compile(PREFIX + "(\\d+)-(\\d+)");

    /** Others of this process may still write into it while it goes down. */
    private static final int TRIES = 5;

    private final Path path;
    private final Thread hook = Thread.ofPlatform().unstarted(this::removeAtEnd);

    private MemoryDirectory(Path path) {
        this.path = path;
    }

    /** Removes what dead processes left, and makes this process's own. */
    public static MemoryDirectory make(Path base) throws IOException {
        try (DirectoryStream<Path> others = Files.newDirectoryStream(base, PREFIX + "*")) {
            for (Path other : others) {
                if (isLeft(other.getFileName().toString())) {
                    delete(other);
                }
            }
        }
        MemoryDirectory own =
                new MemoryDirectory(Files.createDirectories(base.resolve(nameOf(ProcessHandle.current()))));
        Runtime.getRuntime().addShutdownHook(own.hook);
        return own;
    }

    private void removeAtEnd() {
        for (int i = 0; i < TRIES && Files.exists(path); i++) {
            try {
                delete(path);
            } catch (IOException e) {
                LOG.debug("{} is still in use", path, e);
            }
        }
    }

    static String nameOf(ProcessHandle owner) {
        return PREFIX + owner.pid() + "-" + startOf(owner).orElseThrow().toEpochMilli();
    }

    private static Optional<Instant> startOf(ProcessHandle owner) {
        return owner.info().startInstant();
    }

    /** Whether it is the name of a directory whose process is dead; process ids are used again. */
    private static boolean isLeft(String name) {
        Matcher parts = NAME.matcher(name);
        return parts.matches()
                && ProcessHandle.of(Long.parseLong(parts.group(1)))
                        .flatMap(MemoryDirectory::startOf)
                        .filter(start -> start.toEpochMilli() == Long.parseLong(parts.group(2)))
                        .isEmpty();
    }

    private static void delete(Path directory) throws IOException {
        Files.walkFileTree(directory, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            // Somebody else may remove the same.
            @Override
            public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
                if (failure instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw failure;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException failure) throws IOException {
                Files.deleteIfExists(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Where it is. */
    public Path path() {
        return path;
    }

    @Override
    public void close() throws IOException {
        delete(path);
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            LOG.debug("this process is going down: the hook has done or will do the same", e);
        }
    }
}
