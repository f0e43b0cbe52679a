// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import java.io.IOException;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileAttributeView;
import java.nio.file.attribute.FileOwnerAttributeView;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.UserPrincipal;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A file's attributes, under one of several names.
 *
 * @param follow whether a symbolic link is followed
 */
record AttributeView(AlbmPath path, String name, boolean follow) implements PosixFileAttributeView {
    static final Map<Class<? extends FileAttributeView>, String> NAMES = Map.of(
            BasicFileAttributeView.class, "basic",
            PosixFileAttributeView.class, "posix",
            FileOwnerAttributeView.class, "owner");

    private Tree tree() {
        return path.getFileSystem().tree();
    }

    @Override
    public ShownAttributes readAttributes() throws IOException {
        return new ShownAttributes(path.getFileSystem().uri(), tree().attributes(path, follow));
    }

    /** The time of creation is not kept. */
    @Override
    public void setTimes(
            @Nullable FileTime lastModifiedTime, @Nullable FileTime lastAccessTime, @Nullable FileTime createTime)
            throws IOException {
        if (lastModifiedTime != null || lastAccessTime != null) {
            tree().change(path, follow, AttributeChanges.times(lastModifiedTime, lastAccessTime));
        }
    }

    @Override
    public void setPermissions(Set<PosixFilePermission> permissions) throws IOException {
        tree().change(path, follow, AttributeChanges.permissions(Permissions.bits(permissions)));
    }

    @Override
    public UserPrincipal getOwner() throws IOException {
        return readAttributes().owner();
    }

    @Override
    public void setOwner(UserPrincipal owner) throws IOException {
        tree().change(path, follow, AttributeChanges.owner(Owner.number(owner)));
    }

    @Override
    public void setGroup(GroupPrincipal group) throws IOException {
        tree().change(path, follow, AttributeChanges.group(Owner.number(group)));
    }
}
