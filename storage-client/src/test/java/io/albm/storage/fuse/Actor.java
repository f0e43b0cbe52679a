// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

/**
 * A user of file systems, as whom a thread of root's makes single system calls: setfsuid(2), which is each thread's own.
 * Supplementary groups stay root's.
 */
record Actor(int uid, int gid) {
    static final Actor ROOT = new Actor(0, 0);

    /** Only the call itself: as somebody else this process may not even load its classes. */
    Object acting(Call call) throws Throwable {
        if (equals(ROOT)) {
            return call.make();
        }
        become(uid, gid);
        try {
            return call.make();
        } finally {
            become(0, 0);
        }
    }

    private static void become(int uid, int gid) {
        Libc.call("setfsgid", gid);
        Libc.call("setfsuid", uid);
    }

    /** As {@link Libc#call(String, Object...)}. */
    long call(String function, Object... arguments) {
        return Libc.call(this, function, arguments);
    }

    /** A system call. */
    @FunctionalInterface
    interface Call {
        Object make() throws Throwable;
    }

    @Override
    public String toString() {
        return equals(ROOT) ? "root" : "user " + uid;
    }
}
