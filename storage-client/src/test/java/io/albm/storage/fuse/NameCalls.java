// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.Map;

/** The system calls about names and attributes, with the arguments that matter, by what they are called in messages. */
final class NameCalls {
    /** A call about one name. */
    @FunctionalInterface
    interface OfOne {
        long make(Actor actor, String path);
    }

    /** A call about two names. */
    @FunctionalInterface
    interface OfTwo {
        long make(Actor actor, String from, String to);
    }

    private static final int O_WRONLY = 01;
    private static final int O_RDWR = 02;
    private static final int O_CREAT = 0100;
    private static final int O_EXCL = 0200;
    private static final int O_TRUNC = 01000;
    private static final int O_APPEND = 02000;
    private static final int O_NONBLOCK = 04000;
    private static final int AT_FDCWD = -100;
    private static final int AT_SYMLINK_NOFOLLOW = 0x100;
    private static final long UTIME_NOW = (1L << 30) - 1;
    private static final long UTIME_OMIT = (1L << 30) - 2;
    private static final int[] TYPES = {0100000, 0010000, 0020000, 0060000, 0140000, 0040000, 0};

    private NameCalls() {}

    /** All calls about one name but {@link #opens}. */
    static Map<String, OfOne> ofOne(Actor other) {
        Map<String, OfOne> calls = new LinkedHashMap<>();
        calls.put("unlink", (actor, path) -> actor.call("unlink", path));
        calls.put("rmdir", (actor, path) -> actor.call("rmdir", path));
        calls.put("mkdir", (actor, path) -> actor.call("mkdir", path, 0777));
        calls.put("mkdir 07770", (actor, path) -> actor.call("mkdir", path, 07770));
        calls.put("mkfifo", (actor, path) -> actor.call("mkfifo", path, 0640));
        for (int type : TYPES) {
            calls.put("mknod %o".formatted(type), (actor, path) -> actor.call("mknod", path, type | 06777, 0x12345L));
        }
        calls.put("symlink", (actor, path) -> actor.call("symlink", "somewhere", path));
        calls.put("symlink of 4095", (actor, path) -> actor.call("symlink", "t".repeat(4095), path));
        calls.put("symlink of 4096", (actor, path) -> actor.call("symlink", "t".repeat(4096), path));
        calls.put("symlink of nothing", (actor, path) -> actor.call("symlink", "", path));
        for (int mode : new int[] {0, 0555, 0644, 01777, 02755, 02644, 04755, 06777}) {
            calls.put("chmod %o".formatted(mode), (actor, path) -> actor.call("chmod", path, mode));
        }
        chowns(calls, other);
        times(calls);
        for (long size : new long[] {-1, 0, 3, 100_000}) {
            calls.put("truncate " + size, (actor, path) -> actor.call("truncate", path, size));
        }
        for (int mode = 0; mode < 8; mode++) {
            int asked = mode;
            calls.put("access " + mode, (actor, path) -> actor.call("faccessat", AT_FDCWD, path, asked, 0));
        }
        return calls;
    }

    private static void chowns(Map<String, OfOne> calls, Actor other) {
        for (String function : new String[] {"chown", "lchown"}) {
            for (int uid : new int[] {-1, 0, other.uid()}) {
                for (int gid : new int[] {-1, 0, other.gid()}) {
                    calls.put(function + " " + uid + ":" + gid, (actor, path) -> actor.call(function, path, uid, gid));
                }
            }
            calls.put(function + " to self", (actor, path) -> actor.call(function, path, actor.uid(), actor.gid()));
        }
    }

    private static void times(Map<String, OfOne> calls) {
        calls.put("utimensat to now", (actor, path) -> actor.call("utimensat", AT_FDCWD, path, MemorySegment.NULL, 0));
        long[][] pairs = {
            {1, 2, 3, 999_999_999},
            {-5, 0, 1L << 32, 1},
            {0, UTIME_NOW, 0, UTIME_NOW},
            {0, UTIME_OMIT, 0, UTIME_OMIT},
            {0, UTIME_OMIT, 7, 0},
            {0, UTIME_NOW, 0, UTIME_OMIT},
            {0, 1_000_000_000, 0, 0}
        };
        for (long[] pair : pairs) {
            String name = "utimensat %d.%d %d.%d".formatted(pair[0], pair[1], pair[2], pair[3]);
            calls.put(name, (actor, path) -> actor.call("utimensat", AT_FDCWD, path, pair, 0));
            calls.put("l" + name, (actor, path) -> actor.call("utimensat", AT_FDCWD, path, pair, AT_SYMLINK_NOFOLLOW));
        }
    }

    /** All ways to open, none of which waits. */
    static Map<String, OfOne> opens() {
        int directory = flag("O_DIRECTORY");
        int nofollow = flag("O_NOFOLLOW");
        Map<String, OfOne> calls = new LinkedHashMap<>();
        for (int access : new int[] {0, O_WRONLY, O_RDWR}) {
            for (int create : new int[] {0, O_CREAT, O_CREAT | O_EXCL}) {
                for (int more : new int[] {0, O_TRUNC, O_APPEND, directory, nofollow}) {
                    int flags = access | create | more | O_NONBLOCK;
                    calls.put("open %o".formatted(flags), (actor, path) -> open(actor, path, flags));
                }
            }
        }
        return calls;
    }

    /** Two flags that are not the same on all machines. */
    private static int flag(String name) {
        boolean isArm = System.getProperty("os.arch").equals("aarch64");
        return switch (name) {
            case "O_DIRECTORY" -> isArm ? 040000 : 0200000;
            case "O_NOFOLLOW" -> isArm ? 0100000 : 0400000;
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static long open(Actor actor, String path, int flags) {
        int opened = (int) actor.call("open64", path, flags, 06755);
        return opened < 0 ? opened : actor.call("close", opened);
    }

    /** All calls about two names. */
    static Map<String, OfTwo> ofTwo() {
        Map<String, OfTwo> calls = new LinkedHashMap<>();
        calls.put("rename", (actor, from, to) -> actor.call("rename", from, to));
        calls.put("link", (actor, from, to) -> actor.call("link", from, to));
        calls.put("rename NOREPLACE", (actor, from, to) -> rename(actor, from, to, Libc.RENAME_NOREPLACE));
        calls.put("rename EXCHANGE", (actor, from, to) -> rename(actor, from, to, Libc.RENAME_EXCHANGE));
        return calls;
    }

    private static long rename(Actor actor, String from, String to, int flags) {
        return actor.call("renameat2", AT_FDCWD, from, AT_FDCWD, to, flags);
    }
}
