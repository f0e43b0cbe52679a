// SPDX-License-Identifier: Apache-2.0
package io.albm.cache.source;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Serves the regular files of a directory tree and nothing outside it. Symbolic links are followed while they stay
 * inside; the last component is opened without following, so that a link put in place between the check and the
 * opening is refused. A document in another coding is the file beside it whose name ends with the coding's suffix
 * ({@code a.css.gz}). Whoever may rename directories inside the tree while requests run is trusted.
 */
public final class DirectorySource implements DocumentSource {
    /** Bytes that file systems of Linux take for a name, and the kernel for a path. */
    private static final int LONGEST_NAME = 255;

    private static final int LONGEST_PATH = 4095;

    private final Path root;
    private final @Nullable DirectReads direct;

    /**
     * @throws NotDirectoryException if {@code root} is no directory
     * @throws NoSuchFileException if there is no such directory
     */
    public DirectorySource(Path root) throws IOException {
        this(realDirectory(root), null);
    }

    private DirectorySource(Path root, @Nullable DirectReads direct) {
        this.root = root;
        this.direct = direct;
    }

    /** The same, but read past the kernel's page cache; see {@link DirectReads}. */
    public static DirectorySource pastPageCache(Path root) throws IOException {
        Path real = realDirectory(root);
        return new DirectorySource(real, new DirectReads(real));
    }

    private static Path realDirectory(Path root) throws IOException {
        Path real = root.toRealPath();
        if (!Files.isDirectory(real)) {
            throw new NotDirectoryException(root.toString());
        }
        return real;
    }

    @Override
    public Version version(DocumentPath path) throws IOException {
        return current(locate(path), path);
    }

    @Override
    public OpenDocument open(DocumentPath path) throws IOException {
        Path file = locate(path);
        Version version = current(file, path);
        return new OpenFile(path, file, version, channel(file), direct);
    }

    private FileChannel channel(Path file) throws IOException {
        return direct == null
                ? FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)
                : FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS, direct.openOption());
    }

    private Path locate(DocumentPath path) throws IOException {
        try {
            Path name = root.resolve(path.value().substring(1) + path.coding().suffix());
            Path file = real(name, path);
            if (file.startsWith(root)) {
                return file;
            }
        } catch (InvalidPathException e) {
            throw new MissingDocumentException(path + " cannot be a file name here");
        }
        throw new MissingDocumentException(path + " leads outside the directory");
    }

    private Path real(Path name, DocumentPath path) throws IOException {
        try {
            return name.toRealPath();
        } catch (NoSuchFileException | FileSystemLoopException e) {
            throw missing(path);
        } catch (FileSystemException e) {
            throw e.getClass() == FileSystemException.class && leadsNowhere(name) ? missing(path) : e;
        }
    }

    /**
     * Whether there can be no file of that name: too long a name, a file used as a directory, or a loop of links. The JDK says no more of
     * these than of a disk that fails, or of a mount that has died, where documents may well be there.
     */
    private boolean leadsNowhere(Path name) {
        if (bytes(name) > LONGEST_PATH) {
            return true;
        }
        Path parent = root;
        for (Path element : root.relativize(name)) {
            boolean isNoDirectory = Files.exists(parent, LinkOption.NOFOLLOW_LINKS) && !Files.isDirectory(parent);
            if (isNoDirectory || bytes(element) > LONGEST_NAME) {
                return true;
            }
            parent = parent.resolve(element);
        }
        return Files.isSymbolicLink(name);
    }

    private static int bytes(Path path) {
        return path.toString().getBytes(StandardCharsets.UTF_8).length;
    }

    /** A file in another coding counts only if it was made after the document last changed. */
    private Version current(Path file, DocumentPath path) throws IOException {
        if (path.coding() == Coding.IDENTITY) {
            return versionOf(file, path);
        }
        DocumentPath plain = path.in(Coding.IDENTITY);
        Instant changed = versionOf(locate(plain), plain).modified();
        Version version = versionOf(file, path);
        if (version.modified().isBefore(changed)) {
            throw new MissingDocumentException(path + " is older than the document");
        }
        return version;
    }

    private static MissingDocumentException missing(DocumentPath path) {
        return new MissingDocumentException(path + " does not exist");
    }

    private static Version versionOf(Path file, DocumentPath path) throws IOException {
        Map<String, Object> now;
        try {
            now = Files.readAttributes(
                    file, "unix:size,lastModifiedTime,ctime,ino,isRegularFile,isDirectory", LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException e) {
            throw missing(path);
        }
        if (attribute(now, "isDirectory", Boolean.class)) {
            throw new DirectoryException(path + " is a directory");
        }
        if (!attribute(now, "isRegularFile", Boolean.class)) {
            throw new MissingDocumentException(path + " is not a regular file");
        }
        return new Version(
                attribute(now, "size", Long.class),
                attribute(now, "lastModifiedTime", FileTime.class).toInstant(),
                attribute(now, "ctime", FileTime.class).toInstant(),
                attribute(now, "ino", Long.class));
    }

    private static <T> T attribute(Map<String, Object> attributes, String name, Class<T> type) {
        return type.cast(Objects.requireNonNull(attributes.get(name), name));
    }

    private record OpenFile(
            DocumentPath path,
            Path place,
            Version version,
            FileChannel channel,
            @Nullable DirectReads direct) implements OpenDocument {

        @Override
        public void read(ByteBuf into, long position, int bytes) throws IOException {
            int done = 0;
            while (done < bytes) {
                int read = readSome(into, position + done, bytes - done);
                if (read <= 0) {
                    throw new ChangedDocumentException(path + " became shorter while it was read");
                }
                done += read;
            }
            check();
        }

        private int readSome(ByteBuf into, long position, int bytes) throws IOException {
            return direct == null
                    ? into.writeBytes(channel, position, bytes)
                    : direct.read(channel, into, position, bytes);
        }

        @Override
        public Optional<FileChannel> file() {
            return direct == null ? Optional.of(channel) : Optional.empty();
        }

        @Override
        public void check() throws IOException {
            try {
                if (versionOf(place, path).equals(version)) {
                    return;
                }
            } catch (MissingDocumentException e) {
                throw new ChangedDocumentException(path + " was removed while it was read");
            }
            throw new ChangedDocumentException(path + " changed while it was read");
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
