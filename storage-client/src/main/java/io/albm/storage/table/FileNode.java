// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.storage.Content;
import io.albm.storage.Inode;
import io.albm.storage.TableCommand;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** An inode as it changes, and what is in it if it is a directory. */
final class FileNode {
    private static final int SET_UID = 0004000;
    private static final int SET_GID = 0002000;
    private static final int GROUP_EXECUTE = 0000010;
    private static final int PERMISSIONS = 0007777;

    final long number;
    int mode;
    int links;
    int uid;
    int gid;
    int device;
    Instant accessed;
    Instant modified;
    Instant changed;

    Content content = Content.EMPTY;

    byte @Nullable [] target;

    /** The directory that it is in; of a file the one of its first name, null while it has none. */
    @Nullable
    FileNode parent;

    /** Whether this is a directory that goes with its last file, because nobody asked for it. */
    boolean implied;

    final TreeMap<String, FileNode> names = new TreeMap<>();
    final Map<String, byte[]> attributes = new TreeMap<>();

    FileNode(long number, int mode, Instant now) {
        this.number = number;
        this.mode = mode;
        this.accessed = now;
        this.modified = now;
        this.changed = now;
    }

    static FileNode of(Inode inode) {
        FileNode node = new FileNode(inode.number(), inode.mode(), inode.changed());
        node.links = inode.links();
        node.uid = inode.uid();
        node.gid = inode.gid();
        node.device = inode.device();
        node.accessed = inode.accessed();
        node.modified = inode.modified();
        node.content = Objects.requireNonNullElse(inode.content(), Content.EMPTY);
        node.target = inode.target();
        return node;
    }

    Inode inode() {
        return new Inode(
                number,
                mode,
                links,
                uid,
                gid,
                device,
                accessed,
                modified,
                changed,
                isRegular() ? content : null,
                target,
                List.copyOf(attributes.keySet()),
                isDirectory() && parent != null ? parent.number : 0);
    }

    boolean isDirectory() {
        return (mode & 0170000) == 0040000;
    }

    boolean isRegular() {
        return (mode & 0170000) == 0100000;
    }

    /** Characters of its target and its attributes' names, which all who ask for the inode are told. */
    long shownBytes() {
        return (target == null ? 0 : target.length)
                + attributes.keySet().stream().mapToLong(String::length).sum();
    }

    /** Characters of the names, and bytes of the values, of its attributes. */
    long attributeBytes() {
        return attributes.entrySet().stream()
                .mapToLong(attribute -> attribute.getKey().length() + attribute.getValue().length)
                .sum();
    }

    private boolean hasSetGroup() {
        return (mode & SET_GID) != 0;
    }

    private void setPermissions(int permissions) {
        mode = (mode & ~PERMISSIONS) | (permissions & PERMISSIONS);
    }

    private void inheritSetGroup() {
        mode |= SET_GID;
    }

    /** Becomes what was asked for, in that directory. */
    void take(TableCommand.Make make, FileNode directory) {
        uid = make.uid();
        gid = make.gid();
        device = make.device();
        target = make.target();
        if (directory.hasSetGroup()) {
            gid = directory.gid;
            if (isDirectory()) {
                inheritSetGroup();
            }
        }
    }

    void set(TableCommand.SetAttributes set, Instant now) {
        if (set.uid() != null || set.gid() != null || set.killSetIds()) {
            killSetIds();
        }
        if (set.mode() != null) {
            setPermissions(set.mode());
        }
        uid = Objects.requireNonNullElse(set.uid(), uid);
        gid = Objects.requireNonNullElse(set.gid(), gid);
        accessed = Objects.requireNonNullElse(set.accessed(), accessed);
        modified = Objects.requireNonNullElse(set.modified(), modified);
        changed = now;
    }

    /** As a write or a change of owner does; a group bit without execution means something else and stays. */
    void killSetIds() {
        if (!isDirectory()) {
            mode &= ~((mode & GROUP_EXECUTE) == 0 ? SET_UID : SET_UID | SET_GID);
        }
    }

    void touch(Instant now) {
        modified = now;
        changed = now;
    }
}
