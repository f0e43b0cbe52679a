// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.storage.StoragePath;
import io.albm.storage.TableCommand;
import io.albm.storage.TableQuery;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which directories' leases a request concerns. A lease on a directory covers which names it has and which inodes they stand for;
 * the attributes of those that are no directories; and its own attributes, but not those of directories in it, so that work in
 * a directory does not end the leases on the one above.
 */
final class LeaseScope {
    private final Namespace names;
    private final Set<Long> directories = new HashSet<>();

    private LeaseScope(Namespace names) {
        this.names = names;
    }

    /** At least the directories of which a copy would not be right any more after the change, as the table is now. */
    static Set<Long> of(TableCommand<?> command, Namespace names) {
        LeaseScope scope = new LeaseScope(names);
        scope.add(command);
        return scope.directories;
    }

    private void add(TableCommand<?> command) {
        switch (command) {
            case TableCommand.Make make -> directories.add(make.parent());
            case TableCommand.Link link -> {
                directories.add(link.parent());
                addInode(link.inode());
            }
            case TableCommand.Unlink unlink -> addName(unlink.parent(), unlink.name());
            case TableCommand.RemoveDirectory remove -> addName(remove.parent(), remove.name());
            case TableCommand.Rename rename -> {
                addName(rename.parent(), rename.name());
                addName(rename.newParent(), rename.newName());
            }
            case TableCommand.SetAttributes set -> addInode(set.inode());
            case TableCommand.SetAttribute set -> addInode(set.inode());
            case TableCommand.RemoveAttribute remove -> addInode(remove.inode());
            case TableCommand.Change change -> addInode(change.inode());
            case TableCommand.Relocate relocate -> addInode(relocate.inode());
            case TableCommand.Publish publish -> addPath(new StoragePath(publish.path()));
            case TableCommand.Remove remove -> addPath(new StoragePath(remove.path()));
            case TableCommand.Release _,
                    TableCommand.Begin _,
                    TableCommand.Cancel _,
                    TableCommand.Reserve _,
                    TableCommand.Lock _,
                    TableCommand.Unlock _ -> {}
        }
    }

    /**
     * At least the directories in which a change would give another answer.
     *
     * @param leased the directories whose owner may have changed something in advance
     */
    static Set<Long> of(TableQuery<?> query, Set<Long> leased, Namespace names) {
        LeaseScope scope = new LeaseScope(names);
        scope.add(query, leased);
        scope.directories.retainAll(leased);
        return scope.directories;
    }

    private void add(TableQuery<?> query, Set<Long> leased) {
        switch (query) {
            case TableQuery.Lookup lookup -> {
                addName(lookup.parent(), lookup.name());
                FileNode directory = names.nodes().get(lookup.parent());
                add(directory == null ? null : directory.parent);
            }
            case TableQuery.LookAhead ahead -> addName(ahead.parent(), ahead.name());
            case TableQuery.Get get -> addInode(get.inode());
            case TableQuery.GetAttribute get -> addInode(get.inode());
            case TableQuery.Directory directory -> addDirectory(directory.inode(), leased);
            case TableQuery.Find find when !find.path().equals("/") -> addPath(new StoragePath(find.path()));
            case TableQuery.Find _ -> add(names.root());
            case TableQuery.Files _ -> directories.addAll(leased);
            case TableQuery.Unneeded _, TableQuery.Usage _, TableQuery.Blocker _ -> {}
        }
    }

    /** A listing shows the attributes of directories, too. */
    private void addDirectory(long inode, Set<Long> leased) {
        directories.add(inode);
        for (long each : leased) {
            FileNode node = names.nodes().get(each);
            if (node != null && node.parent != null && node.parent.number == inode) {
                directories.add(each);
            }
        }
    }

    private void addInode(long inode) {
        add(names.nodes().get(inode));
    }

    private void add(@Nullable FileNode node) {
        if (node != null && node.isDirectory()) {
            directories.add(node.number);
        } else if (node != null) {
            names.homes(node).forEach(home -> directories.add(home.number));
        }
    }

    private void addName(long parent, String name) {
        directories.add(parent);
        FileNode directory = names.nodes().get(parent);
        if (directory != null) {
            add(directory.names.get(name));
        }
    }

    /** A path that is published or removed may make or take directories anywhere on the way. */
    private void addPath(StoragePath path) {
        FileNode at = names.root();
        for (String segment : path.segments()) {
            add(at);
            at = at.names.get(segment);
            if (at == null) {
                return;
            }
        }
        add(at);
    }
}
