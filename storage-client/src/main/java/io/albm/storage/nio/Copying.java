// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import static java.nio.file.StandardOpenOption.CREATE_NEW;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;

import io.albm.storage.fuse.Attributes;
import io.albm.storage.fuse.FileMode;
import io.albm.storage.fuse.RenameMode;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.LinkOption;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;

/**
 * Copies and moves within a storage, or from one to another.
 *
 * @param replaces what has the target's name goes
 * @param keeps times and owners go along
 */
record Copying(AlbmPath source, AlbmPath target, boolean replaces, boolean keeps, boolean follows, boolean isAtomic) {
    static Copying of(AlbmPath source, AlbmPath target, CopyOption... options) {
        Set<CopyOption> given = Set.copyOf(Arrays.asList(options));
        for (CopyOption option : given) {
            if (!(option instanceof StandardCopyOption) && option != LinkOption.NOFOLLOW_LINKS) {
                throw new UnsupportedOperationException(
                        "option " + option + ": expected one of StandardCopyOption, or NOFOLLOW_LINKS");
            }
        }
        return new Copying(
                source,
                target,
                given.contains(StandardCopyOption.REPLACE_EXISTING),
                given.contains(StandardCopyOption.COPY_ATTRIBUTES),
                !given.contains(LinkOption.NOFOLLOW_LINKS),
                given.contains(StandardCopyOption.ATOMIC_MOVE));
    }

    private Tree from() {
        return source.getFileSystem().tree();
    }

    private Tree to() {
        return target.getFileSystem().tree();
    }

    private boolean isWithinOne() {
        return source.getFileSystem().equals(target.getFileSystem());
    }

    void copy() throws IOException {
        if (isAtomic) {
            throw new UnsupportedOperationException("option ATOMIC_MOVE: expected for moves alone");
        }
        Attributes attributes = from().attributes(source, follows);
        Place there = to().place(target, false);
        if (there.isThere() && isSame(attributes, there)) {
            return;
        }
        if (there.isThere()) {
            makeRoom();
        }
        copy(attributes);
        if (keeps) {
            keep(attributes);
        }
    }

    private boolean isSame(Attributes attributes, Place there) {
        Attributes other = there.attributes();
        return isWithinOne() && other != null && other.inode() == attributes.inode();
    }

    private void makeRoom() throws IOException {
        if (!replaces) {
            throw new FileAlreadyExistsException(target.toString());
        }
        to().delete(target);
    }

    private void copy(Attributes attributes) throws IOException {
        int permissions = attributes.mode() & 0777;
        switch (attributes.mode() & FileMode.TYPE) {
            case FileMode.DIRECTORY -> to().createDirectory(target, permissions);
            case FileMode.SYMBOLIC_LINK -> copyLink();
            case FileMode.REGULAR -> copyContent(permissions);
            default ->
                throw new FileSystemException(
                        source.toString(),
                        target.toString(),
                        "is a device, pipe or socket; copy it where it is mounted");
        }
    }

    private void copyLink() throws IOException {
        AlbmPath said = from().readSymbolicLink(source);
        to().createSymbolicLink(target, said);
    }

    private void copyContent(int permissions) throws IOException {
        StorageChannel out = to().open(target, OpenMode.of(EnumSet.of(WRITE, CREATE_NEW)), permissions);
        try (out;
                StorageChannel in = from().open(source, OpenMode.of(EnumSet.of(READ)), 0)) {
            in.transferTo(0, Long.MAX_VALUE, out);
        } catch (IOException failure) {
            removeHalf(failure);
            throw failure;
        }
    }

    private void removeHalf(IOException failure) {
        boolean interrupted = Thread.interrupted();
        try {
            to().delete(target);
        } catch (IOException left) {
            failure.addSuppressed(left);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void keep(Attributes attributes) throws IOException {
        to().change(target, false, AttributeChanges.owner(attributes.uid()));
        to().change(target, false, AttributeChanges.group(attributes.gid()));
        to().change(
                        target,
                        false,
                        AttributeChanges.times(
                                FileTime.from(attributes.modified()), FileTime.from(attributes.accessed())));
    }

    void move() throws IOException {
        if (isWithinOne()) {
            rename();
        } else if (isAtomic) {
            throw new AtomicMoveNotSupportedException(source.toString(), target.toString(), "they are in two storages");
        } else {
            moveToOther();
        }
    }

    private void rename() throws IOException {
        Attributes attributes = from().attributes(source, false);
        Place there = to().place(target, false);
        if (isAtomic) {
            from().rename(source, target, RenameMode.REPLACE);
        } else if (!isSame(attributes, there)) {
            boolean ofOneKind = FileMode.isDirectory(attributes.mode()) == there.isDirectory();
            if (there.isThere() && replaces && !ofOneKind) {
                to().delete(target);
            }
            from().rename(source, target, replaces ? RenameMode.REPLACE : RenameMode.NO_REPLACE);
        }
    }

    private void moveToOther() throws IOException {
        if (from().place(source, false).isDirectory() && !from().isEmpty(source)) {
            throw new DirectoryNotEmptyException(source.toString());
        }
        new Copying(source, target, replaces, true, false, false).copy();
        from().delete(source);
    }
}
