// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.nio.charset.StandardCharsets;

/** Entries of a directory in an answer: {@code struct fuse_dirent}, each after its entry if that is asked for. */
final class DirectoryReply implements DirectorySink {
    private static final int ENTRY_BYTES = 128;
    private static final int DIRENT_BYTES = 24;
    private static final int TYPE_SHIFT = 12;

    private final ReplyWriter out;
    private final boolean plus;

    DirectoryReply(ReplyWriter out, boolean plus) {
        this.out = out;
        this.plus = plus;
    }

    @Override
    public boolean add(String name, Attributes attributes, long cookie) {
        byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        int entry = plus ? ENTRY_BYTES : 0;
        if (!out.hasRoom(entry + DIRENT_BYTES + (bytes.length + 7 & ~7))) {
            return false;
        }
        if (plus) {
            entry(name, attributes);
        }
        out.u64(attributes.inode())
                .u64(cookie)
                .u32(bytes.length)
                .u32((attributes.mode() & FileMode.TYPE) >> TYPE_SHIFT)
                .bytes(bytes)
                .pad();
        return true;
    }

    /** The kernel knows the directory itself and the one above: an entry without an inode says nothing of them. */
    private void entry(String name, Attributes attributes) {
        if (name.equals(".") || name.equals("..")) {
            out.zeros(ENTRY_BYTES);
        } else {
            out.entry(attributes);
        }
    }

    @Override
    public boolean countsAsLookup() {
        return plus;
    }
}
