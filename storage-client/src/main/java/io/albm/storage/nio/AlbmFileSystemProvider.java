// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import java.io.IOException;
import java.net.URI;
import java.nio.channels.FileChannel;
import java.nio.file.AccessMode;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystem;
import java.nio.file.FileSystemAlreadyExistsException;
import java.nio.file.FileSystemNotFoundException;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.spi.FileSystemProvider;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The striped storage for {@link java.nio.file.Files}: {@code albm://[CLUSTER@]HOST:PORT[,HOST:PORT...]/path}, with the
 * ZooKeeper servers of the cluster, whose name is {@code albm} unless the URI gives another.
 *
 * <p>{@link java.nio.file.FileSystems#newFileSystem(URI, Map)} connects; until that file system is closed, {@link Path#of(URI)}
 * gives its paths. Its {@code env} may have {@code parity} (0 to 2, units of a stripe that may be lost; what the storage nodes
 * are set to unless given), and {@code uid} and {@code gid} (who owns what is made; this process's). Calls block, up to 30
 * seconds per answer that is waited for: use virtual threads for many at a time. Thread-safe.
 */
public final class AlbmFileSystemProvider extends FileSystemProvider {
    private final StorageLink.Connector connector;
    private final Map<ClusterUri, AlbmFileSystem> open = new ConcurrentHashMap<>();

    /** For {@link java.util.ServiceLoader}. */
    public AlbmFileSystemProvider() {
        this(ClusterLink::connect);
    }

    AlbmFileSystemProvider(StorageLink.Connector connector) {
        this.connector = connector;
    }

    @Override
    public String getScheme() {
        return ClusterUri.SCHEME;
    }

    /** @throws IOException if the cluster cannot be reached */
    @Override
    public FileSystem newFileSystem(URI uri, Map<String, ?> env) throws IOException {
        ClusterUri storage = ClusterUri.of(uri);
        StorageOptions options = StorageOptions.of(env);
        checkClosed(open.get(storage));
        AlbmFileSystem opened = new AlbmFileSystem(this, storage, options, connector.connect(storage, options));
        AlbmFileSystem before = open.putIfAbsent(storage, opened);
        if (before != null) {
            opened.close();
        }
        checkClosed(before);
        return opened;
    }

    private static void checkClosed(@Nullable AlbmFileSystem before) {
        if (before != null) {
            throw new FileSystemAlreadyExistsException(before + " is open already: FileSystems.getFileSystem gives it");
        }
    }

    void closed(AlbmFileSystem fileSystem) {
        open.remove(fileSystem.uri(), fileSystem);
    }

    @Override
    public AlbmFileSystem getFileSystem(URI uri) {
        ClusterUri storage = ClusterUri.of(uri);
        AlbmFileSystem found = open.get(storage);
        if (found == null) {
            throw new FileSystemNotFoundException(storage + " is not open: FileSystems.newFileSystem opens it");
        }
        return found;
    }

    @Override
    public Path getPath(URI uri) {
        AlbmFileSystem fileSystem = getFileSystem(uri);
        return fileSystem.root().resolve(uri.getPath());
    }

    private static Tree tree(AlbmPath path) {
        return path.getFileSystem().tree();
    }

    @Override
    public FileChannel newByteChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        return newFileChannel(path, options, attributes);
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        AlbmPath file = AlbmPath.of(path);
        return tree(file).open(file, OpenMode.of(options), Permissions.of(attributes, Tree.FILE_PERMISSIONS));
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path path, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        AlbmPath directory = AlbmPath.of(path);
        return tree(directory).list(directory, filter);
    }

    @Override
    public void createDirectory(Path path, FileAttribute<?>... attributes) throws IOException {
        AlbmPath directory = AlbmPath.of(path);
        tree(directory).createDirectory(directory, Permissions.of(attributes, Tree.DIRECTORY_PERMISSIONS));
    }

    @Override
    public void createSymbolicLink(Path link, Path target, FileAttribute<?>... attributes) throws IOException {
        if (attributes.length > 0) {
            throw new UnsupportedOperationException("a symbolic link has no permissions of its own");
        }
        AlbmPath made = AlbmPath.of(link);
        tree(made).createSymbolicLink(made, AlbmPath.of(target));
    }

    @Override
    public void createLink(Path link, Path existing) throws IOException {
        AlbmPath made = AlbmPath.of(link);
        AlbmPath file = AlbmPath.of(existing);
        if (!made.getFileSystem().equals(file.getFileSystem())) {
            throw new UnsupportedOperationException("a link from one storage to another: " + link + " to " + existing);
        }
        tree(made).createLink(made, file);
    }

    @Override
    public Path readSymbolicLink(Path link) throws IOException {
        AlbmPath path = AlbmPath.of(link);
        return tree(path).readSymbolicLink(path);
    }

    @Override
    public void delete(Path path) throws IOException {
        AlbmPath deleted = AlbmPath.of(path);
        tree(deleted).delete(deleted);
    }

    @Override
    public void copy(Path source, Path target, CopyOption... options) throws IOException {
        Copying.of(AlbmPath.of(source), AlbmPath.of(target), options).copy();
    }

    /** One step within a storage, whole or not at all, unless a file replaces a directory or the other way round. */
    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
        Copying.of(AlbmPath.of(source), AlbmPath.of(target), options).move();
    }

    @Override
    public boolean isSameFile(Path path, Path other) throws IOException {
        if (path.equals(other)) {
            return true;
        }
        return other instanceof AlbmPath
                && attributes(path).fileKey().equals(attributes(other).fileKey());
    }

    private static ShownAttributes attributes(Path path, LinkOption... options) throws IOException {
        return new AttributeView(AlbmPath.of(path), "posix", Tree.follows(options)).readAttributes();
    }

    /** Names that begin with a dot, as on Unix. */
    @Override
    public boolean isHidden(Path path) {
        AlbmPath name = AlbmPath.of(path).getFileName();
        return name != null && name.toString().startsWith(".");
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
        attributes(path);
        return new StorageSpace(AlbmPath.of(path).getFileSystem().root());
    }

    /** As for root, who may read and write all, and execute what somebody may. */
    @Override
    public void checkAccess(Path path, AccessMode... modes) throws IOException {
        AlbmPath checked = AlbmPath.of(path);
        tree(checked).check(checked, modes);
    }

    @Override
    public <V extends FileAttributeView> @Nullable V getFileAttributeView(
            Path path, Class<V> type, LinkOption... options) {
        String name = AttributeView.NAMES.get(type);
        return name == null ? null : type.cast(new AttributeView(AlbmPath.of(path), name, Tree.follows(options)));
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        if (type != BasicFileAttributes.class && type != PosixFileAttributes.class) {
            throw new UnsupportedOperationException(type + ": expected BasicFileAttributes or PosixFileAttributes");
        }
        return type.cast(attributes(path, options));
    }

    @Override
    public Map<String, Object> readAttributes(Path path, String attributes, LinkOption... options) throws IOException {
        return NamedAttributes.read(AlbmPath.of(path), attributes, Tree.follows(options));
    }

    @Override
    public void setAttribute(Path path, String attribute, @Nullable Object value, LinkOption... options)
            throws IOException {
        NamedAttributes.set(AlbmPath.of(path), attribute, value, Tree.follows(options));
    }
}
