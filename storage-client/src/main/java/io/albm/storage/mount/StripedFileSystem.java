// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.storage.Inode;
import io.albm.storage.LockOwner;
import io.albm.storage.LockRange;
import io.albm.storage.RangeLock;
import io.albm.storage.SpaceInfo;
import io.albm.storage.StripedFiles;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import io.albm.storage.TableRequest;
import io.albm.storage.fuse.Allocation;
import io.albm.storage.fuse.AttributeChange;
import io.albm.storage.fuse.Attributes;
import io.albm.storage.fuse.Caller;
import io.albm.storage.fuse.Created;
import io.albm.storage.fuse.DirectorySink;
import io.albm.storage.fuse.Errno;
import io.albm.storage.fuse.ErrnoException;
import io.albm.storage.fuse.FileMode;
import io.albm.storage.fuse.InodeFileSystem;
import io.albm.storage.fuse.KernelCache;
import io.albm.storage.fuse.MountOptions;
import io.albm.storage.fuse.OpenFlags;
import io.albm.storage.fuse.Opened;
import io.albm.storage.fuse.RenameMode;
import io.albm.storage.fuse.Space;
import io.albm.storage.fuse.XattrMode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The striped storage as the kernel sees it. Names and attributes are the file table's, and there for others when the call
 * returns; so is what is written to a file, when it is closed or synced. All of that survives the loss of a node, and is
 * durable when something is synced, whatever it is. Thread-safe.
 */
public final class StripedFileSystem implements InodeFileSystem {
    /** Others change the storage, too: what the kernel knows is believed for a second. */
    public static final MountOptions OPTIONS =
            new MountOptions(16, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ZERO);

    private static final int BLOCK_BYTES = 4096;

    private final StripedFiles files;
    private final Answers answers;
    private final OpenFiles open;
    private final Inodes inodes;
    private final ShownSizes shownSizes = new ShownSizes();
    private final OpenNames names;
    private final Sizes sizes;
    private final FileLocks locks;
    private final AtomicLong nextDirectory = new AtomicLong(1);
    private final Map<Long, DirectoryReading> directories = new ConcurrentHashMap<>();

    /** @param patience how long an operation waits for an answer of the storage; then it fails with EIO */
    public StripedFileSystem(StripedFiles files, Duration patience) {
        this.files = files.early();
        answers = new Answers(this.files.table(), patience);
        Versions versions = new Versions();
        open = new OpenFiles(this.files, answers, versions, shownSizes);
        inodes = new Inodes(answers, versions, open, shownSizes);
        names = new OpenNames(answers, open, inodes);
        sizes = new Sizes(this.files, answers, open);
        locks = new FileLocks(answers, open, shownSizes);
    }

    @Override
    public void begin(KernelCache kernel) {
        locks.begin(kernel);
    }

    /** What the inode shows that a request gives. */
    private Attributes shown(TableRequest<TableAnswer.Known> request) throws IOException, InterruptedException {
        Versions.Seen before = inodes.before();
        return inodes.shown(answers.ask(request).inode(), before);
    }

    @Override
    public Attributes lookup(long parent, String name) throws IOException, InterruptedException {
        return shown(new TableQuery.Lookup(parent, name));
    }

    @Override
    public Attributes getattr(long inode, OptionalLong handle) throws IOException, InterruptedException {
        return shown(new TableQuery.Get(inode));
    }

    @Override
    public Attributes setattr(long inode, AttributeChange change) throws IOException, InterruptedException {
        boolean touched =
                change.size().isPresent() && !sizes.resize(inode, change.size().getAsLong(), change.handle());
        if (change.modified().isPresent()) {
            saveBefore(inode);
        }
        TableCommand.SetAttributes set = AttributeCommands.command(inode, change, touched);
        // A change of nothing at all is chown(2) of neither owner nor group, which counts as a change.
        if (change.size().isPresent() && AttributeCommands.isEmpty(set)) {
            return getattr(inode, change.handle());
        }
        Versions.Seen before = inodes.before();
        Inode changed = answers.ask(set).inode();
        open.find(inode).ifPresent(file -> file.learn(changed));
        return inodes.shown(changed, before);
    }

    /** Storing sets the time of the last change: what sets it otherwise has to come after. */
    private void saveBefore(long inode) throws IOException, InterruptedException {
        OpenFile file = open.find(inode).orElse(null);
        if (file != null) {
            file.save();
        }
    }

    @Override
    public byte[] readlink(long inode) throws IOException, InterruptedException {
        byte[] target = inodes.get(inode).target();
        if (target == null) {
            throw new ErrnoException(Errno.EINVAL);
        }
        return target;
    }

    private static TableCommand.Make make(
            Caller caller, long parent, String name, int mode, int device, byte @Nullable [] target) {
        return new TableCommand.Make(parent, name, mode, caller.uid(), caller.gid(), device, target);
    }

    @Override
    public Attributes symlink(Caller caller, long parent, String name, byte[] target)
            throws IOException, InterruptedException {
        return shown(make(caller, parent, name, FileMode.SYMBOLIC_LINK | 0777, 0, target));
    }

    @Override
    public Attributes mknod(Caller caller, long parent, String name, int mode, int device)
            throws IOException, InterruptedException {
        return shown(make(caller, parent, name, mode, device, null));
    }

    @Override
    public Attributes mkdir(Caller caller, long parent, String name, int mode)
            throws IOException, InterruptedException {
        return shown(make(caller, parent, name, mode, 0, null));
    }

    @Override
    public Attributes link(long inode, long newParent, String newName) throws IOException, InterruptedException {
        return shown(new TableCommand.Link(inode, newParent, newName));
    }

    @Override
    public void unlink(long parent, String name) throws IOException, InterruptedException {
        names.unlink(parent, name);
    }

    @Override
    public void rmdir(long parent, String name) throws IOException, InterruptedException {
        answers.ask(new TableCommand.RemoveDirectory(parent, name));
    }

    @Override
    public void rename(long parent, String name, long newParent, String newName, RenameMode mode)
            throws IOException, InterruptedException {
        names.rename(parent, name, newParent, newName, TableCommand.Renaming.valueOf(mode.name()));
    }

    @Override
    public Opened open(long inode, OpenFlags flags) throws IOException, InterruptedException {
        OpenFiles.Handle handle = open.open(inode, flags.writes() || flags.truncates());
        try {
            if (flags.truncates()) {
                truncate(handle.file());
            } else if (!shownSizes.isShown(inode, handle.file().size())) {
                // The kernel looks again what is there, and then opens that: only so it learns the size before it goes
                // by it.
                throw new ErrnoException(Errno.ESTALE);
            }
            killSetIds(handle.file(), flags.killSetIds());
            noteAppends(handle.file(), flags);
        } catch (IOException | InterruptedException | RuntimeException failure) {
            open.close(handle.number());
            throw failure;
        }
        return Opened.closeToOpen(handle.number());
    }

    private static void noteAppends(OpenFile file, OpenFlags flags) {
        if (flags.appends()) {
            file.appends();
        }
    }

    private void truncate(OpenFile file) throws IOException, InterruptedException {
        if (!file.resize(0)) {
            answers.ask(AttributeCommands.touch(file.number()));
        }
    }

    private void killSetIds(OpenFile file, boolean kill) throws IOException, InterruptedException {
        if (kill && file.hasSetIds()) {
            file.learn(answers.ask(AttributeCommands.killSetIds(file.number())).inode());
        }
    }

    /** Makes a file, or opens the one that another has made since the kernel looked. */
    @Override
    public Created create(Caller caller, long parent, String name, int mode, OpenFlags flags)
            throws IOException, InterruptedException {
        Versions.Seen before = inodes.before();
        Inode made;
        try {
            made = answers.ask(make(caller, parent, name, mode, 0, null)).inode();
        } catch (ErrnoException failure) {
            if (failure.errno() != Errno.EEXIST || flags.isExclusive()) {
                throw failure;
            }
            Attributes there = lookup(parent, name);
            return new Created(there, open(there.inode(), flags));
        }
        OpenFiles.Handle handle = open.open(made, flags.writes());
        noteAppends(handle.file(), flags);
        return new Created(inodes.shown(made, before), Opened.closeToOpen(handle.number()));
    }

    @Override
    public void read(long inode, long handle, long offset, ByteBuffer target) throws IOException, InterruptedException {
        open.get(handle).file().read(offset, target);
    }

    @Override
    public void write(long inode, long handle, long offset, ByteBuffer source, OpenFlags flags)
            throws IOException, InterruptedException {
        OpenFile file = open.get(handle).file();
        open.makeRoom();
        if (!flags.appends()) {
            file.write(offset, source);
        } else if (!file.append(offset, source)) {
            locks.misplaced(file);
        }
        killSetIds(file, flags.killSetIds());
    }

    @Override
    public void fallocate(long inode, long handle, long offset, long length, Allocation what, boolean keepsSize)
            throws IOException, InterruptedException {
        OpenFile file = open.get(handle).file();
        if (what == Allocation.RESERVE) {
            sizes.reserve(file, offset + length, keepsSize);
        } else {
            file.zero(offset, length, keepsSize);
        }
    }

    @Override
    public long seek(long inode, long handle, long offset, boolean hole) throws IOException, InterruptedException {
        return open.get(handle).file().seek(offset, hole);
    }

    @Override
    public void flush(long inode, long handle, LockOwner owner) throws IOException, InterruptedException {
        OpenFiles.Handle closed = open.get(handle);
        try {
            if (closed.writes()) {
                closed.file().save();
            }
        } finally {
            locks.closed(closed, owner);
        }
    }

    @Override
    public void fsync(long inode, long handle, boolean dataOnly) throws IOException, InterruptedException {
        open.get(handle).file().save();
        answers.sync();
    }

    @Override
    public void release(long inode, long handle) throws IOException, InterruptedException {
        try {
            locks.released(open.get(handle));
        } finally {
            open.close(handle);
        }
    }

    @Override
    public boolean hasLocks() {
        return true;
    }

    @Override
    public boolean lock(long inode, long handle, RangeLock lock, Duration patience)
            throws IOException, InterruptedException {
        return locks.lock(open.get(handle), lock, patience);
    }

    @Override
    public void unlock(long inode, long handle, LockOwner owner, LockRange range) throws IOException {
        locks.unlock(open.get(handle), owner, range);
    }

    @Override
    public Optional<RangeLock> blocker(long inode, long handle, RangeLock wanted)
            throws IOException, InterruptedException {
        return locks.blocker(open.get(handle).file(), wanted);
    }

    @Override
    public long opendir(long inode) {
        long handle = nextDirectory.getAndIncrement();
        directories.put(handle, new DirectoryReading(inode, answers, inodes));
        return handle;
    }

    @Override
    public void readdir(long inode, long handle, long cookie, DirectorySink sink)
            throws IOException, InterruptedException {
        DirectoryReading reading = directories.get(handle);
        if (reading == null) {
            throw new ErrnoException(Errno.EINVAL);
        }
        reading.give(cookie, sink);
    }

    @Override
    public void releasedir(long inode, long handle) {
        directories.remove(handle);
    }

    @Override
    public void fsyncdir(long inode, long handle, boolean dataOnly) throws IOException {
        answers.sync();
    }

    @Override
    public Space statfs() throws IOException, InterruptedException {
        SpaceInfo space = answers.await(files.space());
        TableAnswer.Used used = answers.ask(new TableQuery.Usage());
        return new Space(
                BLOCK_BYTES,
                space.capacity() / BLOCK_BYTES,
                space.free() / BLOCK_BYTES,
                used.limit(),
                used.limit() - used.inodes());
    }

    @Override
    public void setxattr(long inode, String name, byte[] value, XattrMode mode)
            throws IOException, InterruptedException {
        AttributeCommands.checkName(name);
        answers.ask(
                new TableCommand.SetAttribute(inode, name, value, mode == XattrMode.CREATE, mode == XattrMode.REPLACE));
    }

    @Override
    public byte[] getxattr(long inode, String name) throws IOException, InterruptedException {
        AttributeCommands.checkName(name);
        return answers.ask(new TableQuery.GetAttribute(inode, name)).value();
    }

    @Override
    public List<String> listxattr(long inode) throws IOException, InterruptedException {
        return inodes.get(inode).attributes();
    }

    @Override
    public void removexattr(long inode, String name) throws IOException, InterruptedException {
        AttributeCommands.checkName(name);
        answers.ask(new TableCommand.RemoveAttribute(inode, name));
    }

    /** What is not closed by now is stored. */
    @Override
    public void end() throws IOException, InterruptedException {
        locks.end();
        try {
            open.end();
        } finally {
            answers.finish(files.finish());
        }
    }
}
