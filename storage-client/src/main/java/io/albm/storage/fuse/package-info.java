// SPDX-License-Identifier: Apache-2.0
/**
 * Mounts a file system written in Java, by the kernel's own FUSE protocol over {@code /dev/fuse}, without libfuse. Start at
 * {@link io.albm.storage.fuse.InodeFileSystem} to write one and at {@link io.albm.storage.fuse.FuseSession} to mount it.
 */
@NullMarked
package io.albm.storage.fuse;

import org.jspecify.annotations.NullMarked;
