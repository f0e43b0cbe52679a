// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.util.concurrent.CompletableFuture;

/**
 * What the kernel keeps of the files of a mount, for a file system that learns that others have changed them. Thread-safe, does
 * not wait.
 *
 * <p>The kernel waits until pages that are being read or written are so. Therefore no thread that serves a request may wait
 * for what is returned here, except for one that takes a lock, and nobody who holds what such a thread may wait for.
 */
public interface KernelCache {
    /** Of a file system that is not mounted: there is nothing that could be old. */
    KernelCache NONE = new KernelCache() {
        @Override
        public CompletableFuture<Void> drop(long inode) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Void> grow(long inode, long length, byte last) {
            return CompletableFuture.completedFuture(null);
        }
    };

    /**
     * Has the kernel forget what it has read of a file, and its attributes. It goes on with the length that it knew until it asks
     * for the attributes, which it does not before it appends.
     *
     * @return done when that is so; never fails
     */
    CompletableFuture<Void> drop(long inode);

    /**
     * As {@link #drop}, and tells the kernel first that a file is at least so long.
     *
     * @param length at least 1
     * @param last the byte before that end
     */
    CompletableFuture<Void> grow(long inode, long length, byte last);
}
