// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.nio;

import io.albm.storage.fuse.InodeFileSystem;
import java.io.Closeable;
import java.io.IOException;

/** A way to a storage, until it is closed. */
interface StorageLink extends Closeable {
    /** The files there, who are to be {@linkplain InodeFileSystem#end ended} before this is closed. */
    InodeFileSystem files();

    /** How a storage is reached. */
    @FunctionalInterface
    interface Connector {
        /**
         * Connects, and waits until the storage is known.
         *
         * @throws IOException if it cannot be reached
         * @throws IllegalArgumentException if there cannot be such a cluster
         */
        StorageLink connect(ClusterUri uri, StorageOptions options) throws IOException;
    }
}
