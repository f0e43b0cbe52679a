// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.storage.Inode;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Copies of directories and of inodes that they cover: files in one of them, and the directories
 * themselves. The longest unused go first. A name takes some 120 bytes, an inode some 300, what the
 * table has of its bytes, and some 400 for each extent but the first, so this is bounded to about 85 MB.
 * Not thread-safe.
 */
final class KnownNames {
    static final int MOST_NAMES = 200_000;

    /** What {@link #inodeOf} says of a name in a directory of which there is no copy. */
    static final long UNKNOWN = -1;

    /** What {@link #inodeOf} says of a name that does not exist. */
    static final long ABSENT = 0;

    private final Map<Long, CopiedDirectory> directories = new LinkedHashMap<>(16, 0.75f, true);
    private final CoveredInodes inodes = new CoveredInodes();
    private long names;
    private long copies;

    /** The number of the last copy; those that come later have higher ones. */
    long copies() {
        return copies;
    }

    boolean isEmpty() {
        return directories.isEmpty();
    }

    /** The lowest number of a grant that a copy is here by; a higher one than all if there is none. */
    long oldestGrant() {
        return directories.values().stream()
                .mapToLong(CopiedDirectory::grant)
                .min()
                .orElse(Long.MAX_VALUE);
    }

    /**
     * Takes a copy.
     *
     * @param grant the number of the lease
     * @param all the names; null if they are to be asked for
     * @param sole whether nobody else has a copy
     */
    void put(long directory, long grant, @Nullable Map<String, Long> all, boolean sole) {
        drop(directory);
        CopiedDirectory copy = new CopiedDirectory(directory, ++copies, grant, all, sole);
        directories.put(directory, copy);
        names += copy.names() + 1;
        shed();
    }

    private void shed() {
        Iterator<CopiedDirectory> eldest = directories.values().iterator();
        while (names > MOST_NAMES) {
            names -= eldest.next().names() + 1;
            eldest.remove();
        }
    }

    void drop(long directory) {
        CopiedDirectory old = directories.remove(directory);
        if (old != null) {
            names -= old.names() + 1;
        }
    }

    void clear() {
        directories.clear();
        inodes.clear();
        names = 0;
    }

    /** Whether there is a copy of a directory. */
    boolean isCopied(long directory) {
        return directories.containsKey(directory);
    }

    /** Whether there is a copy of a directory that nobody else has one of. */
    boolean isSole(long directory) {
        CopiedDirectory copy = directories.get(directory);
        return copy != null && copy.isSole();
    }

    /** The directory whose copy covers an inode that is known. */
    long home(long inode) {
        CoveredInodes.Covered found = inodes.get(inode);
        return found == null ? 0 : found.cover().directory();
    }

    /** What a name stands for; {@link #ABSENT} or {@link #UNKNOWN}. */
    long inodeOf(long directory, String name) {
        CopiedDirectory copy = directories.get(directory);
        return copy == null ? UNKNOWN : copy.inodeOf(name);
    }

    /** As {@link #inodeOf}, for who looks a name up. */
    long lookUp(long directory, String name) {
        CopiedDirectory copy = directories.get(directory);
        if (copy != null) {
            copy.use(name);
        }
        return inodeOf(directory, name);
    }

    /** How to ask for a name in a directory of which there is a copy; null if there is none. */
    TableQuery.@Nullable LookAhead lookAhead(long directory, String name) {
        CopiedDirectory copy = directories.get(directory);
        return copy == null ? null : copy.lookAhead(name);
    }

    /**
     * Takes names of a directory whose copy has been there for long enough.
     *
     * @param since the number of the last copy that is old enough
     */
    void learn(TableQuery.LookAhead asked, TableAnswer.Entries found, long since) {
        CopiedDirectory copy = directories.get(asked.parent());
        if (copy == null || copy.number() > since) {
            return;
        }
        names -= copy.names();
        for (TableAnswer.Entry entry : found.entries()) {
            if (copy.inodeOf(entry.name()) == UNKNOWN) {
                copy.bind(entry.name(), entry.inode().number());
            }
        }
        copy.learn(asked, found.more() ? found.entries().getLast().name() : null);
        names += copy.names();
        shed();
    }

    /** An inode that is covered; null if there is no copy of it. */
    @Nullable
    Inode inode(long number) {
        CoveredInodes.Covered found = inodes.get(number);
        if (found == null) {
            return null;
        }
        if (directories.get(found.cover().directory()) != found.cover()) {
            inodes.remove(number);
            return null;
        }
        return found.inode();
    }

    /**
     * Keeps a copy of an inode if the copy of a directory covers it that has been there for long enough.
     *
     * @param home a directory in which it has a name, if it is no directory
     * @param since the number of the last copy that is old enough
     */
    void learn(Inode inode, long home, long since) {
        CopiedDirectory cover = directories.get(inode.isDirectory() ? inode.number() : home);
        if (cover != null && cover.number() <= since && inode.links() > 0) {
            inodes.put(inode, cover);
        }
    }

    /** Forgets an inode's attributes. @return the directory that covered it; 0 if none did */
    long forget(long number) {
        CoveredInodes.Covered old = inodes.remove(number);
        return old != null && directories.get(old.cover().directory()) == old.cover()
                ? old.cover().directory()
                : 0;
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
        CopiedDirectory copy = directories.get(directory);
        if (copy != null) {
            names -= copy.names();
            copy.bind(name, inode);
            names += copy.names();
            shed();
        }
    }

    void unbind(long directory, String name) {
        CopiedDirectory copy = directories.get(directory);
        if (copy != null) {
            names -= copy.names();
            copy.unbind(name);
            names += copy.names();
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
