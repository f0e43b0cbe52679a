// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import io.albm.storage.fuse.Attributes;
import io.albm.storage.fuse.FileMode;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.Set;

/** What was known of a file when it was asked for. */
record ShownAttributes(ClusterUri storage, Attributes attributes) implements PosixFileAttributes {
    /** The same for all names of a file, and for no two files. */
    private record Key(ClusterUri storage, long inode) {}

    private boolean isType(int type) {
        return (attributes.mode() & FileMode.TYPE) == type;
    }

    @Override
    public FileTime lastModifiedTime() {
        return FileTime.from(attributes.modified());
    }

    @Override
    public FileTime lastAccessTime() {
        return FileTime.from(attributes.accessed());
    }

    /** Is not kept. */
    @Override
    public FileTime creationTime() {
        return lastModifiedTime();
    }

    @Override
    public boolean isRegularFile() {
        return isType(FileMode.REGULAR);
    }

    @Override
    public boolean isDirectory() {
        return isType(FileMode.DIRECTORY);
    }

    @Override
    public boolean isSymbolicLink() {
        return isType(FileMode.SYMBOLIC_LINK);
    }

    @Override
    public boolean isOther() {
        return !isRegularFile() && !isDirectory() && !isSymbolicLink();
    }

    @Override
    public long size() {
        return attributes.size();
    }

    @Override
    public Object fileKey() {
        return new Key(storage, attributes.inode());
    }

    @Override
    public UserPrincipal owner() {
        return new Owner(attributes.uid());
    }

    @Override
    public GroupPrincipal group() {
        return new Owner(attributes.gid());
    }

    @Override
    public Set<PosixFilePermission> permissions() {
        return Permissions.of(attributes.mode());
    }
}
