// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.mount;

/**
 * A file or directory that the kernel knows.
 *
 * @param inode its number
 * @param path its name in the storage; empty for the top directory
 * @param directory whether it is one: there are names below its own
 */
record Node(long inode, String path, boolean directory) {
    /** The name of something in this directory. */
    String below(String name) {
        return path + "/" + name;
    }
}
