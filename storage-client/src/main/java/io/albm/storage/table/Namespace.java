// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.storage.Inode;
import io.albm.storage.TableCommand;
import io.albm.storage.TableRefusal;
import io.albm.storage.TableRefusal.Reason;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The tree of directories and the inodes in it, with the rules of POSIX.1-2017 for names, link counts and times. Each method
 * does all it says or throws {@link TableRefusal} and changes nothing. Not thread-safe.
 */
final class Namespace {
    static final int MAX_NAME_BYTES = 255;
    static final int MAX_LINKS = 65_000;
    private static final int ROOT_MODE = 0040755;

    private final long maxInodes;
    private final Map<Long, FileNode> nodes = new HashMap<>();
    /** The directories of a node's names beyond the first; of nodes that are no directories. */
    private final Map<Long, List<FileNode>> furtherHomes = new HashMap<>();

    private long next = Inode.ROOT;
    private long reserved;

    /** @param maxInodes inodes at most */
    Namespace(long maxInodes) {
        this.maxInodes = maxInodes;
    }

    /** Makes the topmost directory. */
    void plant(Instant now) {
        FileNode root = new FileNode(next++, ROOT_MODE, now);
        root.links = 2;
        root.parent = root;
        nodes.put(root.number, root);
    }

    long next() {
        return next;
    }

    void setNext(long number) {
        next = number;
    }

    /** Sets numbers aside, in the place of others that are not needed any more. @return the first one */
    long reserve(int count, int instead) {
        checkRoom(count - instead);
        long first = next;
        next += count;
        reserved += count - instead;
        return first;
    }

    /** So many numbers of those that are set aside are used, or never will be. */
    void use(int count) {
        reserved -= count;
    }

    /** So many numbers are set aside, says a snapshot. */
    void load(int count) {
        reserved += count;
    }

    /** How many inodes there are, with those whose numbers are set aside. */
    long size() {
        return nodes.size() + reserved;
    }

    Map<Long, FileNode> nodes() {
        return nodes;
    }

    FileNode root() {
        return node(Inode.ROOT);
    }

    FileNode node(long inode) {
        FileNode node = nodes.get(inode);
        if (node == null) {
            throw new TableRefusal(Reason.STALE, "inode " + inode + " is gone");
        }
        return node;
    }

    FileNode directory(long inode) {
        return directory(node(inode));
    }

    private static FileNode directory(FileNode node) {
        if (!node.isDirectory()) {
            throw new TableRefusal(Reason.NOT_DIRECTORY, "inode " + node.number + " is no directory");
        }
        return node;
    }

    FileNode child(FileNode parent, String name) {
        FileNode child = switch (name) {
            case "." -> parent;
            case ".." -> parent.parent;
            default -> parent.names.get(name);
        };
        if (child == null) {
            throw new TableRefusal(Reason.NO_ENTRY, "'" + name + "': no such name");
        }
        return child;
    }

    FileNode make(long parent, String name, int mode, Instant now) {
        checkFree(directory(parent), name);
        checkRoom(1);
        return make(next++, parent, name, mode, now);
    }

    /** With a number that was set aside. */
    FileNode make(long number, long parent, String name, int mode, Instant now) {
        FileNode directory = directory(parent);
        checkFree(directory, name);
        FileNode made = new FileNode(number, mode, now);
        nodes.put(made.number, made);
        if (made.isDirectory()) {
            made.links = 1;
        }
        put(directory, name, made);
        directory.touch(now);
        return made;
    }

    private static void checkFree(FileNode directory, String name) {
        checkName(name);
        if (directory.links == 0) {
            throw new TableRefusal(Reason.NO_ENTRY, "the directory of '" + name + "' was removed");
        }
        if (directory.names.containsKey(name)) {
            throw new TableRefusal(Reason.EXISTS, "'" + name + "' exists already");
        }
    }

    static void checkName(String name) {
        if (name.isEmpty() || name.equals(".") || name.equals("..") || name.contains("/") || name.indexOf(0) >= 0) {
            throw new TableRefusal(Reason.INVALID, "'" + name + "': expected a name, without slashes");
        }
        if (name.length() > MAX_NAME_BYTES || name.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES) {
            throw new TableRefusal(Reason.NAME_TOO_LONG, "'" + name + "': expected at most 255 bytes");
        }
    }

    void link(FileNode node, long parent, String name, Instant now) {
        FileNode directory = directory(parent);
        checkFree(directory, name);
        if (node.isDirectory()) {
            throw new TableRefusal(Reason.IS_DIRECTORY, "a directory has one name");
        }
        if (node.links == 0) {
            throw new TableRefusal(Reason.NO_ENTRY, "inode " + node.number + " was removed");
        }
        if (node.links >= MAX_LINKS) {
            throw new TableRefusal(Reason.TOO_MANY_LINKS, "inode " + node.number + " has " + MAX_LINKS + " names");
        }
        put(directory, name, node);
        node.changed = now;
        directory.touch(now);
    }

    /** Takes a name away that is no directory's; the inode stays, for the caller to {@link #drop} when nobody needs it. */
    FileNode unlink(FileNode directory, String name, Instant now) {
        FileNode node = child(directory, name);
        if (node.isDirectory()) {
            throw new TableRefusal(Reason.IS_DIRECTORY, "'" + name + "' is a directory");
        }
        take(directory, name, node);
        node.changed = now;
        directory.touch(now);
        return node;
    }

    void removeDirectory(FileNode directory, String name, Instant now) {
        if (name.equals(".")) {
            throw new TableRefusal(Reason.INVALID, "'.' is no name of its own");
        }
        if (name.equals("..")) {
            throw new TableRefusal(Reason.NOT_EMPTY, "'..' is not empty");
        }
        FileNode node = directory(child(directory, name));
        checkEmpty(node, name);
        take(directory, name, node);
        drop(node);
        directory.touch(now);
    }

    private static void checkEmpty(FileNode directory, String name) {
        if (!directory.names.isEmpty()) {
            throw new TableRefusal(Reason.NOT_EMPTY, "'" + name + "' is not empty");
        }
    }

    /** Gives a node another name; the answer is what had that name and has lost it, null if nothing did. */
    @Nullable
    FileNode rename(TableCommand.Rename command, Instant now) {
        FileNode from = directory(command.parent());
        FileNode to = directory(command.newParent());
        checkName(command.name());
        checkName(command.newName());
        FileNode moved = child(from, command.name());
        FileNode there = to.names.get(command.newName());
        if (to.links == 0) {
            throw new TableRefusal(Reason.NO_ENTRY, "the directory of '" + command.newName() + "' was removed");
        }
        checkNotInside(moved, to);
        return switch (command.how()) {
            case EXCHANGE -> exchange(command, from, moved, to, now);
            case NO_REPLACE -> {
                if (there != null) {
                    throw new TableRefusal(Reason.EXISTS, "'" + command.newName() + "' exists already");
                }
                yield replace(command, from, moved, to, null, now);
            }
            case REPLACE -> there == moved ? null : replace(command, from, moved, to, there, now);
        };
    }

    private static void checkNotInside(FileNode moved, FileNode directory) {
        for (FileNode at = directory; at != null && moved.isDirectory(); at = at.parent == at ? null : at.parent) {
            if (at == moved) {
                throw new TableRefusal(Reason.INVALID, "a directory cannot be moved into itself");
            }
        }
    }

    @Nullable
    private FileNode replace(
            TableCommand.Rename command,
            FileNode from,
            FileNode moved,
            FileNode to,
            @Nullable FileNode there,
            Instant now) {
        if (there != null) {
            checkReplaceable(command, moved, there);
            take(to, command.newName(), there);
            there.changed = now;
            if (there.isDirectory()) {
                drop(there);
            }
        }
        take(from, command.name(), moved);
        put(to, command.newName(), moved);
        touchMoved(from, to, moved, now);
        return there == null || there.isDirectory() ? null : there;
    }

    private static void checkReplaceable(TableCommand.Rename command, FileNode moved, FileNode there) {
        if (there.isDirectory() && !moved.isDirectory()) {
            throw new TableRefusal(Reason.IS_DIRECTORY, "'" + command.newName() + "' is a directory");
        }
        if (!there.isDirectory() && moved.isDirectory()) {
            throw new TableRefusal(Reason.NOT_DIRECTORY, "'" + command.newName() + "' is no directory");
        }
        checkEmpty(there, command.newName());
    }

    @Nullable
    private FileNode exchange(TableCommand.Rename command, FileNode from, FileNode moved, FileNode to, Instant now) {
        FileNode other = child(to, command.newName());
        checkNotInside(other, from);
        if (other != moved) {
            take(from, command.name(), moved);
            take(to, command.newName(), other);
            put(from, command.name(), other);
            put(to, command.newName(), moved);
            other.changed = now;
            touchMoved(from, to, moved, now);
        }
        return null;
    }

    private static void touchMoved(FileNode from, FileNode to, FileNode moved, Instant now) {
        moved.changed = now;
        from.touch(now);
        to.touch(now);
    }

    /** Gives a node a name, and counts it. */
    void put(FileNode directory, String name, FileNode node) {
        node.links++;
        if (node.isDirectory()) {
            directory.links++;
        }
        settle(directory, name, node);
    }

    private void settle(FileNode directory, String name, FileNode node) {
        directory.names.put(name, node);
        if (node.isDirectory() || node.parent == null) {
            node.parent = directory;
        } else {
            furtherHomes
                    .computeIfAbsent(node.number, number -> new ArrayList<>())
                    .add(directory);
        }
    }

    private void leave(FileNode directory, FileNode node) {
        List<FileNode> further = furtherHomes.get(node.number);
        if (further == null) {
            node.parent = null;
            return;
        }
        if (!further.remove(directory)) {
            node.parent = further.removeLast();
        }
        if (further.isEmpty()) {
            furtherHomes.remove(node.number);
        }
    }

    /** The directories that have names of a node that is no directory; one may be there twice. */
    List<FileNode> homes(FileNode node) {
        List<FileNode> homes = new ArrayList<>(furtherHomes.getOrDefault(node.number, List.of()));
        if (node.parent != null) {
            homes.add(node.parent);
        }
        return homes;
    }

    private void take(FileNode directory, String name, FileNode node) {
        directory.names.remove(name);
        node.links--;
        if (node.isDirectory()) {
            directory.links--;
        } else {
            leave(directory, node);
        }
    }

    /** Gives a node a name that a snapshot says it has: its links are counted there already. */
    void bind(long parent, String name, long inode) {
        FileNode directory = directory(parent);
        settle(directory, name, node(inode));
    }

    /** Refuses what {@link #make} would refuse of these names, before any is made. */
    void checkRoom(List<String> segments, int more) {
        segments.forEach(Namespace::checkName);
        checkRoom(more);
    }

    private void checkRoom(int more) {
        if (size() + more > maxInodes) {
            throw new TableRefusal(
                    Reason.FULL, "the file table may hold " + maxInodes + " files and directories; remove some");
        }
    }

    /** Forgets a node that has no name. */
    void drop(FileNode node) {
        node.links = 0;
        nodes.remove(node.number);
    }
}
