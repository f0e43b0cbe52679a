// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A whole file system in main memory: what the kernel's protocol can do is tested with it, and measured without disks. */
class MemoryFileSystem implements InodeFileSystem {
    /** Only this mount changes it: what the kernel knows stays true. */
    static final MountOptions OPTIONS =
            new MountOptions(8, Duration.ofHours(1), Duration.ofHours(1), Duration.ofHours(1));

    private static final int BLOCK = 4096;
    private static final long BLOCKS = 1 << 20;

    private final Map<Long, MemoryNode> nodes = new ConcurrentHashMap<>();
    private final AtomicLong nextInode = new AtomicLong(ROOT);
    private final Object names = new Object();

    MemoryFileSystem() {
        MemoryNode root = make(new Caller(0, 0, 0), null, FileMode.DIRECTORY | 0755, 0, new byte[0]);
        assert root.inode == ROOT;
    }

    private MemoryNode node(long inode) throws ErrnoException {
        MemoryNode node = nodes.get(inode);
        if (node == null) {
            throw new ErrnoException(Errno.ESTALE);
        }
        return node;
    }

    private MemoryNode make(Caller caller, @Nullable MemoryNode parent, int mode, int device, byte[] target) {
        MemoryNode node = new MemoryNode(nextInode.getAndIncrement(), mode, caller.uid(), caller.gid(), device, target);
        if (parent != null && (parent.mode & FileMode.SET_GID) != 0) {
            node.gid = parent.gid;
            node.mode |= node.isDirectory() ? FileMode.SET_GID : 0;
        }
        nodes.put(node.inode, node);
        return node;
    }

    private static MemoryNode.Child child(MemoryNode parent, String name) throws ErrnoException {
        MemoryNode.Child child = parent.children.get(name);
        if (child == null) {
            throw new ErrnoException(Errno.ENOENT);
        }
        return child;
    }

    private MemoryNode add(Caller caller, long parent, String name, int mode, int device, byte[] target)
            throws ErrnoException {
        synchronized (names) {
            MemoryNode directory = node(parent);
            if (directory.children.containsKey(name)) {
                throw new ErrnoException(Errno.EEXIST);
            }
            if (directory.links == 0) {
                throw new ErrnoException(Errno.ENOENT);
            }
            MemoryNode node = make(caller, directory, mode, device, target);
            directory.put(name, node);
            return node;
        }
    }

    @Override
    public Attributes lookup(long parent, String name) throws IOException, InterruptedException {
        synchronized (names) {
            return child(node(parent), name).node().attributes();
        }
    }

    @Override
    public Attributes getattr(long inode, OptionalLong handle) throws IOException, InterruptedException {
        return node(inode).attributes();
    }

    @Override
    public Attributes setattr(long inode, AttributeChange change) throws IOException {
        MemoryNode node = node(inode);
        synchronized (node) {
            node.changed = Instant.now();
            if (change.uid().isPresent() || change.gid().isPresent() || change.killSetIds()) {
                node.mode = FileMode.withoutSetIds(node.mode);
            }
            node.mode = (node.mode & ~FileMode.PERMISSIONS) | change.mode().orElse(node.mode & FileMode.PERMISSIONS);
            node.uid = change.uid().orElse(node.uid);
            node.gid = change.gid().orElse(node.gid);
            if (change.size().isPresent()) {
                node.content.resize(change.size().getAsLong());
                node.modified = node.changed;
            }
            node.accessed = change.accessed().orElse(node.accessed);
            node.modified = change.modified().orElse(node.modified);
            return node.attributes();
        }
    }

    @Override
    public byte[] readlink(long inode) throws IOException {
        return node(inode).target;
    }

    @Override
    public Attributes symlink(Caller caller, long parent, String name, byte[] target) throws IOException {
        return add(caller, parent, name, FileMode.SYMBOLIC_LINK | 0777, 0, target)
                .attributes();
    }

    @Override
    public Attributes mknod(Caller caller, long parent, String name, int mode, int device) throws IOException {
        return add(caller, parent, name, mode, device, new byte[0]).attributes();
    }

    @Override
    public Attributes mkdir(Caller caller, long parent, String name, int mode) throws IOException {
        return add(caller, parent, name, mode, 0, new byte[0]).attributes();
    }

    @Override
    public Created create(Caller caller, long parent, String name, int mode, OpenFlags flags) throws IOException {
        MemoryNode node = add(caller, parent, name, mode, 0, new byte[0]);
        return new Created(node.attributes(), opened(node));
    }

    private static Opened opened(MemoryNode node) {
        synchronized (node) {
            node.opens++;
        }
        return new Opened(node.inode, true, false);
    }

    @Override
    public void unlink(long parent, String name) throws IOException {
        synchronized (names) {
            remove(node(parent), child(node(parent), name));
        }
    }

    private void remove(MemoryNode parent, MemoryNode.Child child) {
        parent.take(child);
        MemoryNode node = child.node();
        synchronized (node) {
            node.changeLinks(node.isDirectory() ? -2 : -1);
            if (node.links == 0 && node.opens == 0) {
                nodes.remove(node.inode);
            }
        }
    }

    @Override
    public void rmdir(long parent, String name) throws IOException {
        synchronized (names) {
            MemoryNode.Child child = child(node(parent), name);
            checkEmpty(child.node());
            remove(node(parent), child);
        }
    }

    private static void checkEmpty(MemoryNode node) throws ErrnoException {
        if (!node.children.isEmpty()) {
            throw new ErrnoException(Errno.ENOTEMPTY);
        }
    }

    @Override
    public void rename(long parent, String name, long newParent, String newName, RenameMode mode) throws IOException {
        synchronized (names) {
            MemoryNode from = node(parent);
            MemoryNode to = node(newParent);
            MemoryNode.Child child = child(from, name);
            MemoryNode moved = child.node();
            MemoryNode.Child there = to.children.get(newName);
            if (mode == RenameMode.NO_REPLACE && there != null) {
                throw new ErrnoException(Errno.EEXIST);
            }
            if (mode == RenameMode.EXCHANGE) {
                MemoryNode.Child other = child(to, newName);
                from.take(child);
                to.take(other);
                from.put(name, other.node());
                to.put(newName, moved);
                other.node().changeLinks(0);
            } else if (there == null || there.node() != moved) {
                if (there != null) {
                    checkEmpty(there.node());
                    remove(to, there);
                }
                from.take(child);
                to.put(newName, moved);
            }
            moved.changeLinks(0);
        }
    }

    @Override
    public Attributes link(long inode, long newParent, String newName) throws IOException {
        synchronized (names) {
            MemoryNode node = node(inode);
            if (node(newParent).children.containsKey(newName)) {
                throw new ErrnoException(Errno.EEXIST);
            }
            node(newParent).put(newName, node);
            node.changeLinks(1);
            return node.attributes();
        }
    }

    @Override
    public Opened open(long inode, OpenFlags flags) throws IOException {
        MemoryNode node = node(inode);
        synchronized (node) {
            if (flags.truncates()) {
                node.content.resize(0);
                node.touch();
            }
            if (flags.killSetIds()) {
                node.mode = FileMode.withoutSetIds(node.mode);
            }
        }
        return opened(node);
    }

    @Override
    public void read(long inode, long handle, long offset, ByteBuffer target) throws IOException {
        MemoryNode node = node(inode);
        synchronized (node) {
            node.content.read(offset, target);
            node.accessed = Instant.now();
        }
    }

    @Override
    public void write(long inode, long handle, long offset, ByteBuffer source, OpenFlags flags) throws IOException {
        MemoryNode node = node(inode);
        synchronized (node) {
            node.content.write(offset, source);
            node.touch();
            if (flags.killSetIds()) {
                node.mode = FileMode.withoutSetIds(node.mode);
            }
        }
    }

    @Override
    public void release(long inode, long handle) throws IOException {
        MemoryNode node = node(inode);
        synchronized (node) {
            node.opens--;
            if (node.links == 0 && node.opens == 0) {
                nodes.remove(inode);
            }
        }
    }

    @Override
    public void fsync(long inode, long handle, boolean dataOnly) throws IOException {
        node(inode);
    }

    @Override
    public void readdir(long inode, long handle, long cookie, DirectorySink sink) throws IOException {
        synchronized (names) {
            MemoryNode node = node(inode);
            boolean room = cookie >= 1 || sink.add(".", node.attributes(), 1);
            room = room && (cookie >= 2 || sink.add("..", node.parent.attributes(), 2));
            for (MemoryNode.Child child : node.inOrder.tailMap(cookie, false).values()) {
                if (!room || !sink.add(child.name(), child.node().attributes(), child.cookie())) {
                    return;
                }
            }
        }
    }

    @Override
    public void fsyncdir(long inode, long handle, boolean dataOnly) throws IOException {
        node(inode);
    }

    @Override
    public Space statfs() {
        long used = nodes.values().stream()
                .mapToLong(node -> node.content.allocatedBytes() / BLOCK)
                .sum();
        return new Space(BLOCK, BLOCKS, BLOCKS - used, BLOCKS, BLOCKS - nodes.size());
    }

    @Override
    public void setxattr(long inode, String name, byte[] value, XattrMode mode) throws IOException {
        MemoryNode node = node(inode);
        synchronized (node) {
            boolean there = node.xattrs.containsKey(name);
            if (there && mode == XattrMode.CREATE) {
                throw new ErrnoException(Errno.EEXIST);
            }
            if (!there && mode == XattrMode.REPLACE) {
                throw new ErrnoException(Errno.ENODATA);
            }
            node.xattrs.put(name, value);
            node.changed = Instant.now();
        }
    }

    @Override
    public byte[] getxattr(long inode, String name) throws IOException {
        MemoryNode node = node(inode);
        synchronized (node) {
            byte[] value = node.xattrs.get(name);
            if (value == null) {
                throw new ErrnoException(Errno.ENODATA);
            }
            return value;
        }
    }

    @Override
    public List<String> listxattr(long inode) throws IOException {
        MemoryNode node = node(inode);
        synchronized (node) {
            return List.copyOf(node.xattrs.keySet());
        }
    }

    @Override
    public void removexattr(long inode, String name) throws IOException {
        MemoryNode node = node(inode);
        synchronized (node) {
            if (node.xattrs.remove(name) == null) {
                throw new ErrnoException(Errno.ENODATA);
            }
            node.changed = Instant.now();
        }
    }

    @Override
    public void fallocate(long inode, long handle, long offset, long length, Allocation what, boolean keepsSize)
            throws IOException {
        MemoryNode node = node(inode);
        synchronized (node) {
            if (what != Allocation.RESERVE) {
                node.content.clear(offset, length);
            }
            if (!keepsSize) {
                node.content.extend(offset + length);
            }
            node.touch();
        }
    }

    @Override
    public long seek(long inode, long handle, long offset, boolean hole) throws IOException {
        MemoryNode node = node(inode);
        synchronized (node) {
            long found = node.content.seek(offset, hole);
            if (found < 0) {
                throw new ErrnoException(Errno.ENXIO);
            }
            return found;
        }
    }
}
