// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.storage.FileInfo;
import io.albm.storage.PutMode;
import io.albm.storage.SpaceInfo;
import io.albm.storage.StoragePath;
import io.albm.storage.StripedFiles;
import io.albm.storage.fuse.AttributeChange;
import io.albm.storage.fuse.Attributes;
import io.albm.storage.fuse.Caller;
import io.albm.storage.fuse.Created;
import io.albm.storage.fuse.DirectorySink;
import io.albm.storage.fuse.Errno;
import io.albm.storage.fuse.ErrnoException;
import io.albm.storage.fuse.InodeFileSystem;
import io.albm.storage.fuse.MountOptions;
import io.albm.storage.fuse.OpenFlags;
import io.albm.storage.fuse.Opened;
import io.albm.storage.fuse.Space;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The striped storage as the kernel sees it: files that are written once from start to end, read at any offset, and removed.
 * Directories are there as long as there are files below them. What needs changes in part, names that move, directories
 * without files or attributes of a file's own is refused. Thread-safe.
 */
public final class StripedFileSystem implements InodeFileSystem {
    /** Others change the storage, too: what the kernel knows is believed for a second. */
    public static final MountOptions OPTIONS =
            new MountOptions(16, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ZERO);

    private static final int BLOCK_BYTES = 4096;

    private final StripedFiles files;
    private final Answers answers;
    private final Shown shown = new Shown();
    private final NodeTable nodes = new NodeTable();
    private final AtomicLong nextHandle = new AtomicLong(1);
    private final Map<Long, OpenFile> open = new ConcurrentHashMap<>();
    private final Map<Long, Listing> listings = new ConcurrentHashMap<>();
    private final Map<String, FileWriting> written = new ConcurrentHashMap<>();

    /** @param patience how long an operation waits for the storage; then it fails with EIO */
    public StripedFileSystem(StripedFiles files, Duration patience) {
        this.files = files;
        answers = new Answers(patience);
    }

    private static StoragePath path(String value) throws ErrnoException {
        try {
            return new StoragePath(value);
        } catch (IllegalArgumentException e) {
            throw new ErrnoException(Errno.EINVAL);
        }
    }

    @Override
    public Attributes lookup(long parent, String name) throws IOException, InterruptedException {
        String path = nodes.get(parent).below(name);
        Optional<Attributes> file = file(path);
        if (file.isPresent()) {
            return shown.withInode(file.get(), nodes.look(path, false).inode());
        }
        if (!isDirectory(path)) {
            throw new ErrnoException(Errno.ENOENT);
        }
        return shown.directory(nodes.look(path, true).inode());
    }

    /** What is known of a file: of the one that is being written here, if there is one. */
    private Optional<Attributes> file(String path) throws IOException, InterruptedException {
        FileWriting writing = written.get(path);
        return writing == null
                ? answers.await(files.stat(path(path))).map(shown::file)
                : Optional.of(shown.file(writing));
    }

    @Override
    public void forget(long inode, long lookups) {
        nodes.forget(inode, lookups);
    }

    @Override
    public Attributes getattr(long inode, OptionalLong handle) throws IOException, InterruptedException {
        Node node = nodes.get(inode);
        if (node.directory()) {
            return shown.directory(inode);
        }
        Attributes file = file(node.path()).orElseThrow(() -> new ErrnoException(Errno.ESTALE));
        return shown.withInode(file, inode);
    }

    /** A size that is the size already is no change. */
    @Override
    public Attributes setattr(long inode, AttributeChange change) throws IOException, InterruptedException {
        Attributes now = getattr(inode, change.handle());
        boolean onlySize = change.mode().isEmpty()
                && change.uid().isEmpty()
                && change.gid().isEmpty()
                && change.accessed().isEmpty();
        if (!onlySize || change.size().orElse(-1) != now.size()) {
            throw new ErrnoException(Errno.EOPNOTSUPP);
        }
        return now;
    }

    @Override
    public Opened open(long inode, OpenFlags flags) throws IOException, InterruptedException {
        StoragePath path = path(nodes.get(inode).path());
        if (!flags.writes()) {
            return opened(new FileReading(answers.await(files.open(path)), answers));
        }
        if (!flags.truncates()) {
            throw new ErrnoException(Errno.EOPNOTSUPP);
        }
        return write(path, PutMode.REPLACE);
    }

    @Override
    public Created create(Caller caller, long parent, String name, int mode, OpenFlags flags)
            throws IOException, InterruptedException {
        StoragePath path = path(nodes.get(parent).below(name));
        Opened opened = write(path, PutMode.CREATE);
        return new Created(getattr(nodes.look(path.value(), false).inode(), OptionalLong.empty()), opened);
    }

    /** One writer at a time, as far as this mount knows. */
    private Opened write(StoragePath path, PutMode mode) throws IOException, InterruptedException {
        if (written.containsKey(path.value())) {
            throw new ErrnoException(Errno.EBUSY);
        }
        FileWriting writing = new FileWriting(path, answers.await(files.create(path, mode, Set.of())), answers);
        if (written.putIfAbsent(path.value(), writing) != null) {
            writing.abandon();
            throw new ErrnoException(Errno.EBUSY);
        }
        return opened(writing);
    }

    private Opened opened(OpenFile file) {
        long handle = nextHandle.getAndIncrement();
        open.put(handle, file);
        return Opened.closeToOpen(handle);
    }

    private FileWriting writing(long handle) throws ErrnoException {
        if (open.get(handle) instanceof FileWriting writing) {
            return writing;
        }
        throw new ErrnoException(Errno.EOPNOTSUPP);
    }

    /** A file that is being written cannot be read yet. */
    @Override
    public void read(long inode, long handle, long offset, ByteBuffer target) throws IOException, InterruptedException {
        if (!(open.get(handle) instanceof FileReading reading)) {
            throw new ErrnoException(Errno.EOPNOTSUPP);
        }
        reading.read(offset, target);
    }

    @Override
    public void write(long inode, long handle, long offset, ByteBuffer source, boolean killSetIds)
            throws IOException, InterruptedException {
        writing(handle).write(offset, source);
    }

    @Override
    public void flush(long inode, long handle) throws IOException, InterruptedException {
        if (open.get(handle) instanceof FileWriting writing) {
            writing.close();
        }
    }

    @Override
    public void fsync(long inode, long handle, boolean dataOnly) throws IOException, InterruptedException {
        if (open.get(handle) instanceof FileWriting writing) {
            writing.commit();
        }
    }

    @Override
    public void release(long inode, long handle) throws IOException, InterruptedException {
        switch (open.remove(handle)) {
            case FileReading reading -> reading.close();
            case FileWriting writing -> {
                try {
                    writing.end();
                } finally {
                    written.remove(writing.path().value(), writing);
                }
            }
            case null -> throw new ErrnoException(Errno.EINVAL);
        }
    }

    @Override
    public void unlink(long parent, String name) throws IOException, InterruptedException {
        StoragePath path = path(nodes.get(parent).below(name));
        FileWriting writing = written.remove(path.value());
        if (writing != null && writing.abandon()) {
            answers.await(files.delete(path).handle((file, nothingThereBefore) -> path));
        } else {
            answers.await(files.delete(path));
        }
    }

    /** A directory without files is gone already. */
    @Override
    public void rmdir(long parent, String name) throws IOException, InterruptedException {
        if (isDirectory(nodes.get(parent).below(name))) {
            throw new ErrnoException(Errno.ENOTEMPTY);
        }
    }

    private boolean isDirectory(String path) throws IOException, InterruptedException {
        String prefix = path + "/";
        return written.keySet().stream().anyMatch(file -> file.startsWith(prefix))
                || !answers.await(files.list(prefix)).isEmpty();
    }

    @Override
    public long opendir(long inode) throws IOException, InterruptedException {
        String prefix = nodes.get(inode).below("");
        List<FileInfo> found = answers.await(files.list(prefix));
        long handle = nextHandle.getAndIncrement();
        listings.put(handle, new Listing(prefix, found, written.values(), shown));
        return handle;
    }

    @Override
    public void readdir(long inode, long handle, long cookie, DirectorySink sink)
            throws IOException, InterruptedException {
        Listing listing = listings.get(handle);
        if (listing == null) {
            throw new ErrnoException(Errno.EINVAL);
        }
        listing.give(cookie, sink, nodes);
    }

    @Override
    public void releasedir(long inode, long handle) {
        listings.remove(handle);
    }

    /** Names are durable when they are visible. */
    @Override
    public void fsyncdir(long inode, long handle, boolean dataOnly) {}

    @Override
    public Space statfs() throws IOException, InterruptedException {
        SpaceInfo space = answers.await(files.space());
        return new Space(BLOCK_BYTES, space.capacity() / BLOCK_BYTES, space.free() / BLOCK_BYTES, 0, 0);
    }

    /** A file that was made and has nothing in it is kept; one that its writer has not closed is given up. */
    @Override
    public void end() throws IOException, InterruptedException {
        for (Long handle : List.copyOf(open.keySet())) {
            if (open.get(handle) instanceof FileWriting writing && writing.length() > 0) {
                writing.abandon();
            }
            release(InodeFileSystem.ROOT, handle);
        }
    }
}
