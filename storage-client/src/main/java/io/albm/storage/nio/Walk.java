// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import io.albm.storage.fuse.Attributes;
import io.albm.storage.fuse.Errno;
import io.albm.storage.fuse.ErrnoException;
import io.albm.storage.fuse.FileMode;
import io.albm.storage.fuse.InodeFileSystem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;

/** One way along a path, name by name, as the kernel goes: links are followed, and {@code ..} goes back to where it came from. */
final class Walk {
    /** As many as Linux follows. */
    private static final int MOST_LINKS = 40;

    /** What a name on the way is. */
    private record Step(String name, Attributes attributes) {}

    private final InodeFileSystem files;
    private final AlbmPath path;
    private final Deque<String> ahead;
    private final List<Step> done = new ArrayList<>();
    private int links;

    private Walk(InodeFileSystem files, AlbmPath path) {
        this.files = files;
        this.path = path;
        ahead = new ArrayDeque<>(path.names());
    }

    /**
     * Finds where a path leads. All of it must be there but for the last name.
     *
     * @param follow whether a symbolic link at its end is followed
     */
    static Place to(InodeFileSystem files, AlbmPath path, boolean follow) throws IOException, InterruptedException {
        return new Walk(files, path).go(follow);
    }

    private Place go(boolean follow) throws IOException, InterruptedException {
        while (!ahead.isEmpty()) {
            String name = ahead.pop();
            checkDirectory();
            if (name.equals("..")) {
                back();
            } else if (!name.equals(".")) {
                Attributes found;
                try {
                    found = files.lookup(here(), name);
                } catch (ErrnoException absent) {
                    if (absent.errno() != Errno.ENOENT || !ahead.isEmpty()) {
                        throw absent;
                    }
                    return new Place(here(), name, null, real(name));
                }
                if (isLink(found) && (follow || !ahead.isEmpty())) {
                    follow(found);
                } else {
                    done.add(new Step(name, found));
                }
            }
        }
        return end();
    }

    private static boolean isLink(Attributes attributes) {
        return (attributes.mode() & FileMode.TYPE) == FileMode.SYMBOLIC_LINK;
    }

    private void checkDirectory() throws NotDirectoryException {
        if (!done.isEmpty() && !FileMode.isDirectory(done.getLast().attributes().mode())) {
            throw new NotDirectoryException(text());
        }
    }

    private long here() {
        return done.isEmpty()
                ? InodeFileSystem.ROOT
                : done.getLast().attributes().inode();
    }

    private void back() {
        if (!done.isEmpty()) {
            done.removeLast();
        }
    }

    private void follow(Attributes link) throws IOException, InterruptedException {
        links++;
        if (links > MOST_LINKS) {
            throw new FileSystemLoopException(path + ": more than " + MOST_LINKS + " symbolic links on the way");
        }
        String target = new String(files.readlink(link.inode()), StandardCharsets.UTF_8);
        AlbmPath way = AlbmPath.parse(path.getFileSystem(), target);
        if (way.isAbsolute()) {
            done.clear();
        }
        way.names().reversed().forEach(ahead::push);
    }

    private Place end() throws IOException, InterruptedException {
        if (done.isEmpty()) {
            Attributes root = files.getattr(InodeFileSystem.ROOT, OptionalLong.empty());
            return new Place(
                    InodeFileSystem.ROOT, "", root, path.getFileSystem().root());
        }
        Step last = done.removeLast();
        return new Place(here(), last.name(), last.attributes(), real(last.name()));
    }

    private AlbmPath real(String last) {
        return AlbmPath.parse(path.getFileSystem(), text() + "/" + last);
    }

    private String text() {
        return "/" + String.join("/", done.stream().map(Step::name).toList());
    }
}
