// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.storage.Content;
import io.albm.storage.InlineBytes;
import io.albm.storage.Inode;
import io.albm.storage.TableAnswer;
import io.albm.storage.TableCommand;
import io.albm.storage.TableRefusal;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes changes in copies of directories that nobody else has one of, as {@link TableState} will make them: files, and all that is
 * not a directory, are made, get other attributes or other content that the table has itself, and lose their only name. What the
 * table might refuse is left to it. Not thread-safe.
 */
final class SoleChanges {
    /** Longer ones make long lines of the log. */
    private static final int LONGEST_TARGET = 4096;

    private final KnownNames known;
    /** Whether the table knows that there may be changes here: it says so to the next leader. */
    private boolean announced;

    private long nextNumber;
    private long endOfNumbers;
    private long room;
    /** Whether the table has so much room that it may give some more. */
    private boolean hasRoomThere;

    SoleChanges(KnownNames known) {
        this.known = known;
    }

    /** A change and what became of it. */
    record Done(TableCommand<?> command, TableAnswer answer) {}

    boolean hasNumbers() {
        return nextNumber < endOfNumbers;
    }

    /** Numbers for files that are made, and room for their bytes. */
    void give(TableAnswer.Reserved reserved) {
        announced = true;
        nextNumber = reserved.first();
        endOfNumbers = reserved.first() + reserved.count();
        room = reserved.bytes();
        hasRoomThere = room >= InlineBytes.MOST;
    }

    void forgetReserved() {
        announced = false;
        endOfNumbers = nextNumber;
        room = 0;
    }

    /** Whether the change could be made here if more was set aside, which the first change of any kind needs to be. */
    boolean needsReserved(TableCommand<?> command) {
        return switch (command) {
            case TableCommand.Make make -> !hasNumbers() && directory(make.parent()) != null;
            case TableCommand.Unlink unlink -> !announced && directory(unlink.parent()) != null;
            case TableCommand.SetAttributes set -> !announced && known.isSole(known.home(set.inode()));
            case TableCommand.Change change ->
                isMadeHere(change)
                        && (!announced || (room < change.inlineBytes() && hasRoomThere))
                        && known.isSole(known.home(change.inode()));
            default -> false;
        };
    }

    /** The directory that has to be known for the change to be made here, and is not; 0 if there is none. */
    long lackedDirectory(TableCommand<?> command) {
        long parent = switch (command) {
            case TableCommand.Make make -> make.parent();
            case TableCommand.Unlink unlink -> unlink.parent();
            default -> 0;
        };
        return known.isSole(parent) && known.inode(parent) == null ? parent : 0;
    }

    /** Null if it is for the table to make. */
    @Nullable
    Done apply(TableCommand<?> command, Instant now) {
        if (!announced) {
            return null;
        }
        return switch (command) {
            case TableCommand.Make make -> make(make, now);
            case TableCommand.Unlink unlink -> unlink(unlink, now);
            case TableCommand.SetAttributes set -> set(set, now);
            case TableCommand.Change change -> change(change, now);
            default -> null;
        };
    }

    /** A directory that is the client's alone, and that has a name itself. */
    private @Nullable Inode directory(long number) {
        Inode directory = known.isSole(number) ? known.inode(number) : null;
        return directory == null || directory.links() == 0 ? null : directory;
    }

    private @Nullable Done make(TableCommand.Make make, Instant now) {
        Inode directory = directory(make.parent());
        if (directory == null || !hasNumbers() || !isOrdinary(make)) {
            return null;
        }
        TableCommand.Make numbered = make.as(nextNumber++);
        FileNode node = new FileNode(numbered.number(), make.mode(), now);
        node.take(make, FileNode.of(directory));
        node.links = 1;
        Inode made = node.inode();
        known.bind(make.parent(), make.name(), made.number());
        known.learn(made, make.parent(), known.copies());
        touch(directory, now);
        return new Done(numbered, new TableAnswer.Known(made));
    }

    private boolean isOrdinary(TableCommand.Make make) {
        byte[] target = make.target();
        boolean isDirectory = new FileNode(0, make.mode(), Instant.EPOCH).isDirectory();
        return !isDirectory
                && (target == null || target.length <= LONGEST_TARGET)
                && known.inodeOf(make.parent(), make.name()) == KnownNames.ABSENT
                && isName(make.name());
    }

    private static boolean isName(String name) {
        try {
            Namespace.checkName(name);
            return true;
        } catch (TableRefusal refused) {
            return false;
        }
    }

    private @Nullable Done unlink(TableCommand.Unlink unlink, Instant now) {
        Inode directory = directory(unlink.parent());
        long number = known.inodeOf(unlink.parent(), unlink.name());
        Inode file = unlink.keep() || number == KnownNames.UNKNOWN ? null : known.inode(number);
        if (directory == null || file == null || file.isDirectory() || file.links() != 1) {
            return null;
        }
        known.unbind(unlink.parent(), unlink.name());
        known.forget(number);
        touch(directory, now);
        return new Done(
                unlink,
                new TableAnswer.Freed(
                        file.withoutLinks(now),
                        file.content() == null ? List.of() : file.content().segments()));
    }

    /** A file of the client's own. Extended attributes are not known here, and those who have them are few. */
    private @Nullable FileNode file(long inode) {
        Inode file = known.inode(inode);
        return file != null
                        && !file.isDirectory()
                        && file.links() == 1
                        && file.attributes().isEmpty()
                        && known.isSole(known.home(inode))
                ? FileNode.of(file)
                : null;
    }

    private void learn(FileNode file) {
        known.learn(file.inode(), known.home(file.number), known.copies());
    }

    private @Nullable Done set(TableCommand.SetAttributes set, Instant now) {
        FileNode file = file(set.inode());
        if (file == null) {
            return null;
        }
        file.set(set, now);
        learn(file);
        return new Done(set, new TableAnswer.Known(file.inode()));
    }

    private @Nullable Done change(TableCommand.Change change, Instant now) {
        FileNode file = isMadeHere(change) && change.inlineBytes() <= room ? file(change.inode()) : null;
        if (file == null
                || !file.isRegular()
                || (change.base() != null && change.base() != file.content.fingerprint())) {
            return null;
        }
        Content before = file.content;
        file.content = change.applyTo(before);
        if (file.content.segments().size() > 1) {
            return null;
        }
        room -= change.inlineBytes();
        if (change.killSetIds()) {
            file.killSetIds();
        }
        file.touch(now);
        learn(file);
        return new Done(change.aside(), new TableAnswer.Published(file.inode(), before.notIn(file.content)));
    }

    /** Whether it brings all that it needs. Who has locks is told whether his changes were made before he gives them back. */
    private static boolean isMadeHere(TableCommand.Change change) {
        return change.inlineBytes() > 0 && change.lockedBy() == null;
    }

    private void touch(Inode directory, Instant now) {
        known.learn(directory.touched(now), 0, known.copies());
    }
}
