// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** A file, directory or link of the memory file system. Guarded by its monitor, children by the file system's lock. */
final class MemoryNode {
    private static final long FIRST_COOKIE = 3;

    /** A name in a directory, with its place in the order of making. */
    record Child(long cookie, String name, MemoryNode node) {}

    final long inode;
    final MemoryContent content = new MemoryContent();
    final TreeMap<String, byte[]> xattrs = new TreeMap<>();
    final Map<String, Child> children = new HashMap<>();
    final TreeMap<Long, Child> inOrder = new TreeMap<>();
    final byte[] target;
    final int device;
    MemoryNode parent = this;
    int mode;
    int uid;
    int gid;
    int links;
    int opens;
    Instant accessed = Instant.now();
    Instant modified = accessed;
    Instant changed = accessed;
    private long nextCookie = FIRST_COOKIE;

    MemoryNode(long inode, int mode, int uid, int gid, int device, byte[] target) {
        this.inode = inode;
        this.mode = mode;
        this.uid = uid;
        this.gid = gid;
        this.device = device;
        this.target = target;
        links = isDirectory() ? 2 : 1;
    }

    boolean isDirectory() {
        return FileMode.isDirectory(mode);
    }

    synchronized Attributes attributes() {
        long size = target.length > 0 ? target.length : content.size();
        return new Attributes(
                inode, size, content.allocatedBytes(), accessed, modified, changed, mode, links, uid, gid, device);
    }

    synchronized void touch() {
        modified = Instant.now();
        changed = modified;
    }

    synchronized void changeLinks(int by) {
        links += by;
        changed = Instant.now();
    }

    void put(String name, MemoryNode node) {
        Child child = new Child(nextCookie++, name, node);
        children.put(name, child);
        inOrder.put(child.cookie(), child);
        if (node.isDirectory()) {
            node.parent = this;
            changeLinks(1);
        }
        touch();
    }

    void take(Child child) {
        children.remove(child.name());
        inOrder.remove(child.cookie());
        if (child.node().isDirectory()) {
            changeLinks(-1);
        }
        touch();
    }
}
