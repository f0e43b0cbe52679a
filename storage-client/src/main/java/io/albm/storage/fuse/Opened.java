// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

/**
 * An open file or directory.
 *
 * @param handle the file system's own number for it; comes back with each operation on it
 * @param keepsCache the pages that the kernel still has of the file are right; otherwise they are dropped now
 * @param direct reads and writes go past the kernel's pages; it cannot be mapped shared then
 */
public record Opened(long handle, boolean keepsCache, boolean direct) {
    /** Read and written through pages that are dropped at each opening: what another wrote and closed is seen. */
    public static Opened closeToOpen(long handle) {
        return new Opened(handle, false, false);
    }
}
