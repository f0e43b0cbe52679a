// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.storage.TableCommand;
import io.albm.storage.TableRequest;
import java.util.HashSet;
import java.util.Set;

/**
 * What a client's own change may make untrue of what it knows from copies.
 *
 * @param names names that it may give or take
 * @param inodes whose attributes it may change
 * @param anyInode whether it may change the attributes of any other inode
 * @param everything whether it may change anything
 */
record TouchedNames(Set<Name> names, Set<Long> inodes, boolean anyInode, boolean everything) {
    private static final TouchedNames NOTHING = new TouchedNames(Set.of(), Set.of(), false, false);

    /** A name in a directory. */
    record Name(long directory, String name) {}

    /** @param copies what names stand for */
    static TouchedNames by(TableRequest<?> request, KnownNames copies) {
        return request instanceof TableCommand<?> command ? by(command, copies) : NOTHING;
    }

    private static TouchedNames by(TableCommand<?> command, KnownNames copies) {
        return switch (command) {
            case TableCommand.Make make -> name(make.parent(), make.name(), make.parent());
            case TableCommand.Link link -> name(link.parent(), link.name(), link.inode());
            case TableCommand.Unlink unlink -> taken(copies, new Name(unlink.parent(), unlink.name()));
            case TableCommand.RemoveDirectory remove -> taken(copies, new Name(remove.parent(), remove.name()));
            case TableCommand.Rename rename ->
                taken(copies, new Name(rename.parent(), rename.name()), new Name(rename.newParent(), rename.newName()));
            case TableCommand.SetAttributes set -> inode(set.inode());
            case TableCommand.SetAttribute set -> inode(set.inode());
            case TableCommand.RemoveAttribute remove -> inode(remove.inode());
            case TableCommand.Change change -> inode(change.inode());
            case TableCommand.Relocate relocate -> inode(relocate.inode());
            case TableCommand.Release _,
                    TableCommand.Begin _,
                    TableCommand.Cancel _,
                    TableCommand.Reserve _,
                    TableCommand.Lock _,
                    TableCommand.Unlock _ -> NOTHING;
            case TableCommand.Publish _, TableCommand.Remove _ -> new TouchedNames(Set.of(), Set.of(), true, true);
        };
    }

    private static TouchedNames name(long directory, String name, long inode) {
        Set<Long> inodes = directory == inode ? Set.of(directory) : Set.of(directory, inode);
        return new TouchedNames(Set.of(new Name(directory, name)), inodes, false, false);
    }

    private static TouchedNames inode(long inode) {
        return new TouchedNames(Set.of(), Set.of(inode), false, false);
    }

    /** Names that stand for something, which is touched. */
    private static TouchedNames taken(KnownNames copies, Name... taken) {
        Set<Name> names = new HashSet<>();
        Set<Long> inodes = new HashSet<>();
        for (Name name : taken) {
            names.add(name);
            inodes.add(name.directory());
            inodes.add(copies.inodeOf(name.directory(), name.name()));
        }
        boolean anyInode = inodes.remove(KnownNames.UNKNOWN);
        inodes.remove(KnownNames.ABSENT);
        return new TouchedNames(names, inodes, anyInode, false);
    }

    boolean isNothing() {
        return names.isEmpty() && inodes.isEmpty() && !everything;
    }

    boolean touchesInode(long inode) {
        return anyInode || inodes.contains(inode);
    }

    boolean touchesName(Name name) {
        return everything || names.contains(name);
    }

    /** Whether it may have given or taken a name in the directory of which a copy does not say whether it is there. */
    boolean mayTouchUnknown(long directory, KnownNames copies) {
        return everything
                || names.stream()
                        .anyMatch(name -> name.directory() == directory
                                && copies.inodeOf(directory, name.name()) == KnownNames.UNKNOWN);
    }

    boolean touchesDirectory(long directory) {
        return everything || names.stream().anyMatch(name -> name.directory() == directory);
    }
}
