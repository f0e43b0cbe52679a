// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

/**
 * How a file is opened: the flags of {@code open(2)}. The kernel deals with {@code O_CREAT} and {@code O_NOFOLLOW}, with
 * {@code O_APPEND} as far as it knows how long the file is, and with {@code O_EXCL} as far as it knows what is there.
 *
 * @param bits as Linux numbers them
 * @param killSetIds a truncation, or a write, takes the set-id bits away
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

    /** Whether the content is to be thrown away. */
    public boolean truncates() {
        return (bits & O_TRUNC) != 0;
    }

    /** Whether what is written goes to the end of the file. */
    public boolean appends() {
        return (bits & O_APPEND) != 0;
    }

    /** Whether a file that is there already is an error when one is made. */
    public boolean isExclusive() {
        return (bits & O_EXCL) != 0;
    }
}
