// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Stream;

/** A directory of a local file system. Thread-safe for different names. */
final class LocalDisk implements BlockDisk {
    private final Path root;
    private final FileStore store;
    private final FileIo io;

    /** Through the kernel's page cache. */
    LocalDisk(Path root) throws IOException {
        this(root, new BufferedIo());
    }

    LocalDisk(Path root, FileIo io) throws IOException {
        this.root = Files.createDirectories(root.toAbsolutePath().normalize());
        this.store = Files.getFileStore(this.root);
        this.io = io;
    }

    @Override
    public Written write(String name, ByteBuf head, ByteBuf body) throws IOException {
        Path file = root.resolve(name);
        try {
            return io.write(file, head, body);
        } catch (NoSuchFileException missingDirectory) {
            Files.createDirectories(parent(file));
            return io.write(file, head, body);
        }
    }

    @Override
    public BlockFile open(String name, Runnable closed) throws IOException {
        return io.open(root.resolve(name), closed);
    }

    @Override
    public boolean hasOtherNames(String name) throws IOException {
        Map<String, Object> attributes =
                Files.readAttributes(root.resolve(name), "unix:nlink,isRegularFile", LinkOption.NOFOLLOW_LINKS);
        return !Boolean.TRUE.equals(attributes.get("isRegularFile"))
                || !Integer.valueOf(1).equals(attributes.get("nlink"));
    }

    @Override
    public void rename(String from, String to) throws IOException {
        Path target = root.resolve(to);
        try {
            Files.move(root.resolve(from), target, StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException missingDirectory) {
            Files.createDirectories(parent(target));
            Files.move(root.resolve(from), target, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    @Override
    public void syncDirectory(String directory) throws IOException {
        Path path = root.resolve(directory);
        if (Files.isDirectory(path)) {
            for (Path level = path; level.startsWith(root); level = parent(level)) {
                sync(level);
            }
        }
    }

    private static void sync(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    @Override
    public OptionalLong bytes(String name) {
        // Asked for each new block, which is not there: by calls that make no exception of that.
        Path file = root.resolve(name);
        long bytes = file.toFile().length();
        return bytes > 0 || Files.exists(file) ? OptionalLong.of(bytes) : OptionalLong.empty();
    }

    @Override
    public void delete(String name) throws IOException {
        Files.deleteIfExists(root.resolve(name));
    }

    @Override
    public void deleteDirectory(String directory) throws IOException {
        for (Entry file : files(directory)) {
            delete(directory + "/" + file.name());
        }
        Files.deleteIfExists(root.resolve(directory));
    }

    @Override
    public List<Entry> files(String directory) throws IOException {
        List<Entry> entries = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(root.resolve(directory), Files::isRegularFile)) {
            for (Path file : files) {
                entries.add(new Entry(name(file), Files.size(file)));
            }
        } catch (NoSuchFileException | NotDirectoryException none) {
            return entries;
        }
        return entries;
    }

    @Override
    public List<String> directories(String directory) throws IOException {
        try (Stream<Path> entries = Files.list(root.resolve(directory))) {
            return entries.filter(Files::isDirectory)
                    .map(LocalDisk::name)
                    .sorted()
                    .toList();
        } catch (NoSuchFileException none) {
            return List.of();
        }
    }

    @Override
    public long usableBytes() throws IOException {
        return store.getUsableSpace();
    }

    /** Bytes of the whole file system. */
    long totalBytes() throws IOException {
        return store.getTotalSpace();
    }

    private static Path parent(Path path) {
        Path parent = path.getParent();
        if (parent == null) {
            throw new IllegalArgumentException(path + ": expected a path with a directory");
        }
        return parent;
    }

    private static String name(Path path) {
        Path name = path.getFileName();
        return name == null ? "" : name.toString();
    }
}
