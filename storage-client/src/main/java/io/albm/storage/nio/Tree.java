// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import io.albm.storage.fuse.AttributeChange;
import io.albm.storage.fuse.Attributes;
import io.albm.storage.fuse.Caller;
import io.albm.storage.fuse.Created;
import io.albm.storage.fuse.Errno;
import io.albm.storage.fuse.ErrnoException;
import io.albm.storage.fuse.FileMode;
import io.albm.storage.fuse.InodeFileSystem;
import io.albm.storage.fuse.RenameMode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.AccessMode;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * What is done with paths, in terms of inodes. Acts with the rights of root: permissions are kept and shown, and hold where the
 * storage is mounted. Thread-safe.
 */
final class Tree {
    static final int FILE_PERMISSIONS = 0644;
    static final int DIRECTORY_PERMISSIONS = 0755;

    private static final int ANY_EXECUTE = 0111;

    private final Session session;
    private final Caller caller;

    /** @param caller who owns what is made */
    Tree(Session session, Caller caller) {
        this.session = session;
        this.caller = caller;
    }

    static boolean follows(LinkOption... options) {
        return !Arrays.asList(options).contains(LinkOption.NOFOLLOW_LINKS);
    }

    Place place(AlbmPath path, boolean follow) throws IOException {
        return session.ask(path, files -> Walk.to(files, path, follow));
    }

    Attributes attributes(AlbmPath path, boolean follow) throws IOException {
        return session.ask(path, files -> Walk.to(files, path, follow).found());
    }

    void change(AlbmPath path, boolean follow, AttributeChange change) throws IOException {
        session.change(
                path,
                files -> files.setattr(Walk.to(files, path, follow).found().inode(), change));
    }

    /** The path without links; if they are not to be followed, without dots where that leads to the same file. */
    AlbmPath real(AlbmPath path, boolean follow) throws IOException {
        Place place = place(path, follow);
        long inode = session.ask(path, files -> place.found().inode());
        if (follow) {
            return place.path();
        }
        AlbmPath absolute = path.toAbsolutePath();
        Attributes there = place(absolute.normalize(), false).attributes();
        return there != null && there.inode() == inode ? absolute.normalize() : absolute;
    }

    void check(AlbmPath path, AccessMode... modes) throws IOException {
        int mode = attributes(path, true).mode();
        boolean executes = Arrays.asList(modes).contains(AccessMode.EXECUTE);
        if (executes && !FileMode.isDirectory(mode) && (mode & ANY_EXECUTE) == 0) {
            throw new AccessDeniedException(path.toString(), null, "nobody may execute it");
        }
    }

    void createDirectory(AlbmPath path, int permissions) throws IOException {
        session.change(path, files -> {
            Place place = free(files, path);
            files.mkdir(caller, place.parent(), place.name(), FileMode.DIRECTORY | permissions);
        });
    }

    private static Place free(InodeFileSystem files, AlbmPath path) throws IOException, InterruptedException {
        Place place = Walk.to(files, path, false);
        if (place.isThere()) {
            throw new ErrnoException(Errno.EEXIST);
        }
        return place;
    }

    void createSymbolicLink(AlbmPath link, Path target) throws IOException {
        byte[] text = target.toString().getBytes(StandardCharsets.UTF_8);
        session.change(link, files -> {
            Place place = free(files, link);
            files.symlink(caller, place.parent(), place.name(), text);
        });
    }

    AlbmPath readSymbolicLink(AlbmPath link) throws IOException {
        Place place = place(link, false);
        if (place.isThere() && !place.isSymbolicLink()) {
            throw new NotLinkException(link.toString());
        }
        byte[] target = session.ask(link, files -> files.readlink(place.found().inode()));
        return AlbmPath.parse(link.getFileSystem(), new String(target, StandardCharsets.UTF_8));
    }

    void createLink(AlbmPath link, AlbmPath existing) throws IOException {
        long inode = attributes(existing, false).inode();
        session.change(existing, link, files -> {
            Place place = free(files, link);
            files.link(inode, place.parent(), place.name());
        });
    }

    void delete(AlbmPath path) throws IOException {
        session.change(path, files -> {
            Place place = Walk.to(files, path, false);
            place.found();
            if (place.isDirectory()) {
                files.rmdir(place.parent(), place.changeable());
            } else {
                files.unlink(place.parent(), place.changeable());
            }
        });
    }

    void rename(AlbmPath from, AlbmPath to, RenameMode mode) throws IOException {
        Place source = place(from, false);
        session.ask(from, files -> source.found());
        session.change(from, to, files -> {
            Place target = Walk.to(files, to, false);
            files.rename(source.parent(), source.changeable(), target.parent(), target.changeable(), mode);
        });
    }

    DirectoryStream<Path> list(AlbmPath directory, DirectoryStream.Filter<? super Path> filter) throws IOException {
        return session.ask(directory, files -> {
            Attributes attributes = Walk.to(files, directory, true).found();
            if (!FileMode.isDirectory(attributes.mode())) {
                throw new NotDirectoryException(directory.toString());
            }
            long handle = files.opendir(attributes.inode());
            return session.opened(new EntryStream(session, directory, attributes.inode(), handle, filter));
        });
    }

    /** @param permissions of a file that is made */
    StorageChannel open(AlbmPath path, OpenMode mode, int permissions) throws IOException {
        return session.ask(path, files -> {
            Place place = Walk.to(files, path, mode.follows());
            return session.opened(
                    place.isThere() || !mode.creates()
                            ? openThere(files, path, place, mode)
                            : create(files, path, place, mode, permissions));
        });
    }

    private StorageChannel openThere(InodeFileSystem files, AlbmPath path, Place place, OpenMode mode)
            throws IOException, InterruptedException {
        Attributes found = place.found();
        if (mode.createsNew()) {
            throw new ErrnoException(Errno.EEXIST);
        }
        checkRegular(path, place);
        long handle = files.open(found.inode(), mode.flags()).handle();
        return new StorageChannel(session, path, place, mode, found.inode(), handle);
    }

    private StorageChannel create(InodeFileSystem files, AlbmPath path, Place place, OpenMode mode, int permissions)
            throws IOException, InterruptedException {
        Created created =
                files.create(caller, place.parent(), place.changeable(), FileMode.REGULAR | permissions, mode.flags());
        return new StorageChannel(
                session,
                path,
                place,
                mode,
                created.attributes().inode(),
                created.opened().handle());
    }

    private static void checkRegular(AlbmPath path, Place place) throws IOException {
        if (place.isDirectory()) {
            throw new ErrnoException(Errno.EISDIR);
        }
        if (!place.isRegular()) {
            String kind = place.isSymbolicLink() ? "is a symbolic link, which is not to be followed" : "is no file";
            throw new FileSystemException(path.toString(), null, kind);
        }
    }

    /** Whether a directory has no entries. */
    boolean isEmpty(AlbmPath directory) throws IOException {
        try (DirectoryStream<Path> entries = list(directory, entry -> true)) {
            return !entries.iterator().hasNext();
        }
    }
}
