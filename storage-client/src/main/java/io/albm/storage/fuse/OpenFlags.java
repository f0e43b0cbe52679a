// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

/**
 * How a file is opened: the flags of {@code open(2)} that reach a file system. The kernel has dealt with {@code O_CREAT} and
 * {@code O_NOFOLLOW}; offsets of appending writes come from it, too.
 *
 * @param bits as Linux numbers them
 * @param killSetIds a truncation takes the set-id bits away
 */
public record OpenFlags(int bits, boolean killSetIds) {
    private static final int ACCESS = 3;
    private static final int O_EXCL = 0200;
    private static final int O_TRUNC = 01000;
    private static final int O_APPEND = 02000;

    /** Whether the file is opened for writing, alone or with reading. */
    public boolean writes() {
        return (bits & ACCESS) != 0;
    }

    /** Whether the file is opened for reading, alone or with writing. */
    public boolean reads() {
        return (bits & ACCESS) != 1;
    }

    /** Whether a file that is there is an error. */
    public boolean exclusive() {
        return (bits & O_EXCL) != 0;
    }

    /** Whether the content is to be thrown away. */
    public boolean truncates() {
        return (bits & O_TRUNC) != 0;
    }

    public boolean appends() {
        return (bits & O_APPEND) != 0;
    }
}
