// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

import io.albm.storage.fuse.Errno;
import io.albm.storage.fuse.ErrnoException;
import io.albm.storage.fuse.InodeFileSystem;
import java.util.HashMap;
import java.util.Map;

/**
 * Numbers for the names that the kernel knows, as long as it knows them. A number is never used again. As large as the
 * kernel's own memory of names, which it gives back when memory is short. Thread-safe.
 */
final class NodeTable {
    private record Name(String path, boolean directory) {}

    private static final class Known {
        private final Node node;
        private long lookups;

        private Known(Node node) {
            this.node = node;
        }
    }

    private final Map<Long, Known> byInode = new HashMap<>();
    private final Map<Name, Known> byName = new HashMap<>();
    private long nextInode = InodeFileSystem.ROOT;

    NodeTable() {
        look("", true);
    }

    /** The node of a name, looked up once more. */
    synchronized Node look(String path, boolean directory) {
        Known known = byName.computeIfAbsent(new Name(path, directory), this::add);
        known.lookups++;
        return known.node;
    }

    private Known add(Name name) {
        Known known = new Known(new Node(nextInode++, name.path(), name.directory()));
        byInode.put(known.node.inode(), known);
        return known;
    }

    /** The node of a number that the kernel has. */
    synchronized Node get(long inode) throws ErrnoException {
        Known known = byInode.get(inode);
        if (known == null) {
            throw new ErrnoException(Errno.ESTALE);
        }
        return known.node;
    }

    /** Takes lookups back; the top directory stays. */
    synchronized void forget(long inode, long lookups) {
        Known known = byInode.get(inode);
        if (known != null && inode != InodeFileSystem.ROOT) {
            known.lookups -= lookups;
            if (known.lookups <= 0) {
                byInode.remove(inode);
                byName.remove(new Name(known.node.path(), known.node.directory()));
            }
        }
    }
}
