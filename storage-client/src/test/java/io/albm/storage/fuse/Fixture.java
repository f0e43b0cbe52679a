// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A small tree with a file of every type in every situation that a system call may meet. */
final class Fixture {
    static final Actor OWNER = new Actor(4001, 4001);
    static final Actor OTHER = new Actor(4002, 4002);

    /** Names in the tree, and names that are not there. */
    static final List<String> NAMES = List.of(
            "home/file",
            "home/set-ids",
            "home/linked",
            "home/empty",
            "home/full",
            "home/full/below",
            "home/fifo",
            "home/socket",
            "home/char",
            "home/block",
            "home/link",
            "home/dirlink",
            "home/dangling",
            "home/loop",
            "home/absent",
            "home/file/",
            "home/empty/",
            "home/absent/",
            "home/dirlink/",
            "home/file/x",
            "home/absent/x",
            "home/loop/x",
            "home/dirlink/x",
            "home/full/.",
            "home/full/..",
            "home/" + "n".repeat(255),
            "home/" + "n".repeat(256),
            "home/" + "n/".repeat(2500),
            "foreign/file",
            "foreign/empty",
            "foreign/absent",
            "closed/file",
            "closed/absent",
            "sticky/own",
            "sticky/own-directory",
            "sticky/other",
            "sticky/other-directory",
            "sticky/absent",
            "group/file",
            "group/absent");

    private static final List<Entry> ENTRIES = List.of(
            new Entry("home", 0040755, OWNER),
            new Entry("home/file", 0100644, OWNER),
            new Entry("home/set-ids", 0106755, OWNER),
            new Entry("home/linked", 0100640, OWNER),
            new Entry("home/second", 0100640, OWNER, "linked"),
            new Entry("home/empty", 0040755, OWNER),
            new Entry("home/full", 0040755, OWNER),
            new Entry("home/full/below", 0040755, OWNER),
            new Entry("home/fifo", 0010644, OWNER),
            new Entry("home/socket", 0140644, OWNER),
            new Entry("home/char", 0020644, OWNER),
            new Entry("home/block", 0060644, OWNER),
            new Entry("home/link", 0120777, OWNER, "file"),
            new Entry("home/dirlink", 0120777, OWNER, "empty"),
            new Entry("home/dangling", 0120777, OWNER, "absent"),
            new Entry("home/loop", 0120777, OWNER, "loop"),
            new Entry("foreign", 0040755, Actor.ROOT),
            new Entry("foreign/file", 0100644, Actor.ROOT),
            new Entry("foreign/empty", 0040755, Actor.ROOT),
            new Entry("closed", 0040700, Actor.ROOT),
            new Entry("closed/file", 0100666, Actor.ROOT),
            new Entry("sticky", 0041777, Actor.ROOT),
            new Entry("sticky/own", 0100644, OWNER),
            new Entry("sticky/own-directory", 0040755, OWNER),
            new Entry("sticky/other", 0100666, OTHER),
            new Entry("sticky/other-directory", 0040777, OTHER),
            new Entry("group", 0042777, OTHER),
            new Entry("group/file", 0102775, OTHER));

    private static final long DEVICE = 0x1203;
    private static final long BYTES = 10;

    /**
     * Something in the tree.
     *
     * @param mode type and permissions
     * @param target of a symbolic link what it says; of a hard link its sibling; of all others nothing
     */
    private record Entry(String name, int mode, Actor owner, String target) {
        Entry(String name, int mode, Actor owner) {
            this(name, mode, owner, "");
        }

        void make(String root) {
            String path = root + "/" + name;
            switch (mode & FileMode.TYPE) {
                case FileMode.DIRECTORY -> check(Libc.call("mkdir", path, 0700));
                case FileMode.SYMBOLIC_LINK -> check(Libc.call("symlink", target, path));
                case FileMode.REGULAR -> makeFile(path);
                default -> check(Libc.call("mknod", path, mode, DEVICE));
            }
            check(Libc.call("lchown", path, owner.uid(), owner.gid()));
            if ((mode & FileMode.TYPE) != FileMode.SYMBOLIC_LINK) {
                check(Libc.call("chmod", path, mode & FileMode.PERMISSIONS));
            }
        }

        private void makeFile(String path) {
            if (target.isEmpty()) {
                check(Libc.call("mknod", path, FileMode.REGULAR | 0600, 0L));
                check(Libc.call("truncate", path, BYTES));
            } else {
                check(Libc.call("link", Path.of(path).resolveSibling(target).toString(), path));
            }
        }
    }

    private final String root;
    private final Map<String, String> whole = new HashMap<>();

    private Fixture(Path root) {
        this.root = root.toString();
    }

    /** Makes the tree in an empty directory. */
    static Fixture in(Path root) throws IOException {
        Fixture fixture = new Fixture(root);
        for (Entry entry : ENTRIES) {
            entry.make(fixture.root);
        }
        for (Entry entry : ENTRIES) {
            fixture.whole.put(entry.name(), fixture.shown(entry.name()));
        }
        return fixture;
    }

    private String shown(String name) throws IOException {
        Shown shown = Shown.of(Path.of(root, name));
        return shown == null ? "none" : shown.ofItsOwn();
    }

    /**
     * Makes the tree what it was.
     *
     * @param touched names that may be there now
     */
    void repair(String... touched) throws IOException {
        for (String name : touched) {
            if (!whole.containsKey(name) && name.length() < 300 && !name.endsWith(".")) {
                remove(new File(root, name));
            }
        }
        for (Entry entry : ENTRIES) {
            if (!shown(entry.name()).equals(whole.get(entry.name()))) {
                remove(new File(root, entry.name()));
                entry.make(root);
            }
        }
    }

    private static void remove(File file) {
        File[] below = Files.isDirectory(file.toPath(), LinkOption.NOFOLLOW_LINKS) ? file.listFiles() : null;
        if (below == null) {
            Libc.call("unlink", file.toString());
        } else {
            for (File one : below) {
                remove(one);
            }
            Libc.call("rmdir", file.toString());
        }
    }

    private static void check(long result) {
        if (result != 0) {
            throw new IllegalStateException("making the tree: " + Errno.text((int) -result));
        }
    }
}
