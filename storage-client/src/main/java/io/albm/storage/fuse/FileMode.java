// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

/** The bits of {@code st_mode}: what a file is, and who may do what with it. */
public final class FileMode {
    public static final int TYPE = 0170000;
    public static final int DIRECTORY = 0040000;
    public static final int REGULAR = 0100000;
    public static final int SYMBOLIC_LINK = 0120000;
    public static final int SET_UID = 0004000;
    public static final int SET_GID = 0002000;
    public static final int GROUP_EXECUTE = 0000010;

    /** Permissions with set-id and sticky bits: what chmod changes. */
    public static final int PERMISSIONS = 0007777;

    private FileMode() {}

    public static boolean isDirectory(int mode) {
        return (mode & TYPE) == DIRECTORY;
    }

    /** Without the set-id bits, as a write by somebody without privileges leaves it. */
    public static int withoutSetIds(int mode) {
        int cleared = (mode & GROUP_EXECUTE) == 0 ? SET_UID : SET_UID | SET_GID;
        return isDirectory(mode) ? mode : mode & ~cleared;
    }
}
