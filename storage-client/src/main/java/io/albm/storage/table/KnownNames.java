// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.storage.Inode;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Copies of directories, each with all its names, and of inodes that they cover: files in one of them, and the directories
 * themselves. The longest unused go first. A name takes some 120 bytes, an inode some 300, so this is bounded to about 50 MB.
 * Not thread-safe.
 */
final class KnownNames {
    static final int MOST_NAMES = 200_000;
    static final int MOST_INODES = 80_000;

    /** What {@link #inodeOf} says of a name in a directory of which there is no copy. */
    static final long UNKNOWN = -1;

    /** What {@link #inodeOf} says of a name that does not exist. */
    static final long ABSENT = 0;

    /** An inode with more would take too much memory. */
    private static final int MOST_EXTENTS = 4;

    private final Map<Long, Copy> directories = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<Long, Covered> inodes = new LinkedHashMap<>(16, 0.75f, true);
    private long names;
    private long copies;

    /** A directory. The number says which were there before it, that of the grant in whose lease's name it is here. */
    static final class Copy {
        private final long directory;
        private final long number;
        private final long grant;
        private final Map<String, Long> names;
        private final boolean sole;

        private Copy(long directory, long number, long grant, Map<String, Long> names, boolean sole) {
            this.directory = directory;
            this.number = number;
            this.grant = grant;
            this.names = names;
            this.sole = sole;
        }
    }

    private record Covered(Inode inode, Copy cover) {}

    /** The number of the last copy; those that come later have higher ones. */
    long copies() {
        return copies;
    }

    boolean isEmpty() {
        return directories.isEmpty();
    }

    /** The lowest number of a grant that a copy is here by; {@code otherwise} if there is none. */
    long oldestGrant(long otherwise) {
        return directories.values().stream().mapToLong(copy -> copy.grant).min().orElse(otherwise);
    }

    /**
     * Takes a copy.
     *
     * @param grant the number of the lease
     * @param sole whether nobody else has a copy
     */
    void put(long directory, long grant, Map<String, Long> all, boolean sole) {
        drop(directory);
        directories.put(directory, new Copy(directory, ++copies, grant, new HashMap<>(all), sole));
        names += all.size() + 1;
        shed();
    }

    private void shed() {
        Iterator<Copy> eldest = directories.values().iterator();
        while (names > MOST_NAMES) {
            names -= eldest.next().names.size() + 1;
            eldest.remove();
        }
    }

    void drop(long directory) {
        Copy old = directories.remove(directory);
        if (old != null) {
            names -= old.names.size() + 1;
        }
    }

    void clear() {
        directories.clear();
        inodes.clear();
        names = 0;
    }

    /** Whether there is a copy of a directory that nobody else has one of. */
    boolean isSole(long directory) {
        Copy copy = directories.get(directory);
        return copy != null && copy.sole;
    }

    /** The directory whose copy covers an inode that is known. */
    long home(long inode) {
        Covered found = inodes.get(inode);
        return found == null ? 0 : found.cover.directory;
    }

    /** What a name stands for; {@link #ABSENT} or {@link #UNKNOWN}. */
    long inodeOf(long directory, String name) {
        Copy copy = directories.get(directory);
        return copy == null ? UNKNOWN : copy.names.getOrDefault(name, ABSENT);
    }

    /** An inode that is covered; null if there is no copy of it. */
    @Nullable
    Inode inode(long number) {
        Covered found = inodes.get(number);
        if (found == null) {
            return null;
        }
        if (directories.get(found.cover.directory) != found.cover) {
            inodes.remove(number);
            return null;
        }
        return found.inode;
    }

    /**
     * Keeps a copy of an inode if the copy of a directory covers it that has been there for long enough.
     *
     * @param home a directory in which it has a name, if it is no directory
     * @param since the number of the last copy that is old enough
     */
    void learn(Inode inode, long home, long since) {
        Copy cover = directories.get(inode.isDirectory() ? inode.number() : home);
        boolean isSmall = inode.content() == null || inode.content().extents().size() <= MOST_EXTENTS;
        if (cover != null && cover.number <= since && isSmall && inode.links() > 0) {
            inodes.put(inode.number(), new Covered(inode, cover));
            if (inodes.size() > MOST_INODES) {
                Iterator<Long> eldest = inodes.keySet().iterator();
                eldest.next();
                eldest.remove();
            }
        }
    }

    /** Forgets an inode's attributes. @return the directory that covered it; 0 if none did */
    long forget(long number) {
        Covered old = inodes.remove(number);
        return old != null && directories.get(old.cover.directory) == old.cover ? old.cover.directory : 0;
    }

    void forgetInodes() {
        inodes.clear();
    }

    /** Follows a change that was made, as far as it is about names. */
    void follow(TableCommand<?> command, TableAnswer answer) {
        switch (command) {
            case TableCommand.Make make
            when answer instanceof TableAnswer.Known made ->
                bind(make.parent(), make.name(), made.inode().number());
            case TableCommand.Link link -> bind(link.parent(), link.name(), link.inode());
            case TableCommand.Unlink unlink -> unbind(unlink.parent(), unlink.name());
            case TableCommand.RemoveDirectory remove -> {
                drop(inodeOf(remove.parent(), remove.name()));
                unbind(remove.parent(), remove.name());
            }
            case TableCommand.Rename rename -> follow(rename);
            default -> {}
        }
    }

    void bind(long directory, String name, long inode) {
        Copy copy = directories.get(directory);
        if (copy != null && copy.names.put(name, inode) == null) {
            names++;
            shed();
        }
    }

    void unbind(long directory, String name) {
        Copy copy = directories.get(directory);
        if (copy != null && copy.names.remove(name) != null) {
            names--;
        }
    }

    private void follow(TableCommand.Rename rename) {
        long moved = inodeOf(rename.parent(), rename.name());
        long there = inodeOf(rename.newParent(), rename.newName());
        if (moved == UNKNOWN || there == UNKNOWN) {
            // Of two names of one inode both stay: without both copies nobody knows.
            drop(rename.parent());
            drop(rename.newParent());
        } else if (moved != there) {
            unbind(rename.parent(), rename.name());
            bind(rename.newParent(), rename.newName(), moved);
            if (rename.how() == TableCommand.Renaming.EXCHANGE) {
                bind(rename.parent(), rename.name(), there);
            } else {
                drop(there);
            }
        }
    }
}
