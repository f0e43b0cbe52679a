// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import io.albm.storage.fuse.Attributes;
import io.albm.storage.fuse.Errno;
import io.albm.storage.fuse.ErrnoException;
import io.albm.storage.fuse.FileMode;
import org.jspecify.annotations.Nullable;

/**
 * Where a path leads.
 *
 * @param parent the inode of the directory that the name is in
 * @param name empty for the root, which has none
 * @param attributes what has the name; null if nothing does
 * @param path the way to it without links
 */
record Place(long parent, String name, @Nullable Attributes attributes, AlbmPath path) {
    boolean isThere() {
        return attributes != null;
    }

    boolean isDirectory() {
        return attributes != null && FileMode.isDirectory(attributes.mode());
    }

    boolean isSymbolicLink() {
        return attributes != null && (attributes.mode() & FileMode.TYPE) == FileMode.SYMBOLIC_LINK;
    }

    boolean isRegular() {
        return attributes != null && (attributes.mode() & FileMode.TYPE) == FileMode.REGULAR;
    }

    /** What has the name, which must be there. */
    Attributes found() throws ErrnoException {
        if (attributes == null) {
            throw new ErrnoException(Errno.ENOENT);
        }
        return attributes;
    }

    /** The name, which a change of names needs, and the root does not have. */
    String changeable() throws ErrnoException {
        if (name.isEmpty()) {
            throw new ErrnoException(Errno.EBUSY);
        }
        return name;
    }
}
