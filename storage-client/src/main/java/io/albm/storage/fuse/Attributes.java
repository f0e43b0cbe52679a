// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.fuse;

import java.time.Instant;

/**
 * What {@code stat} tells of a file.
 *
 * @param inode its number, not 0
 * @param size bytes
 * @param allocatedBytes bytes that it occupies
 * @param accessed last read, as far as the file system keeps that
 * @param modified last change of the content
 * @param changed last change of content or attributes
 * @param mode type and permissions, see {@link FileMode}
 * @param links how many names it has
 * @param device which device it stands for; 0 unless it is one
 */
public record Attributes(
        long inode,
        long size,
        long allocatedBytes,
        Instant accessed,
        Instant modified,
        Instant changed,
        int mode,
        int links,
        int uid,
        int gid,
        int device) {}
