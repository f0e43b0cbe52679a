// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A file, directory, symbolic link or device as the file table knows it, whatever names it has.
 *
 * @param number its own for good; never used for another
 * @param mode type and permissions, the bits of {@code st_mode}
 * @param links how many names it has; of a directory 2 and one for each directory in it
 * @param device which device it stands for; 0 unless it is one
 * @param accessed last read, as far as somebody said so
 * @param modified last change of the content, or of the names in a directory
 * @param changed last change of anything
 * @param content where a regular file's bytes lie; null for all others
 * @param target what a symbolic link says; null unless it is one
 * @param attributes names of the extended attributes, in order
 * @param parent the directory that a directory is in; 0 for all others
 */
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
@SuppressWarnings("ArrayRecordComponent") // handed over, never compared
public record Inode(
        long number,
        int mode,
        int links,
        int uid,
        int gid,
        int device,
        Instant accessed,
        Instant modified,
        Instant changed,
        @Nullable Content content,
        byte @Nullable [] target,
        List<String> attributes,
        long parent) {
    /** The number of the topmost directory. */
    public static final long ROOT = 1;

    private static final int TYPE = 0170000;
    private static final int DIRECTORY = 0040000;
    private static final int REGULAR = 0100000;
    private static final int SYMBOLIC_LINK = 0120000;

    public Inode {
        attributes = attributes == null ? List.of() : List.copyOf(attributes);
    }

    @JsonIgnore
    public boolean isDirectory() {
        return (mode & TYPE) == DIRECTORY;
    }

    @JsonIgnore
    public boolean isRegular() {
        return (mode & TYPE) == REGULAR;
    }

    @JsonIgnore
    public boolean isSymbolicLink() {
        return (mode & TYPE) == SYMBOLIC_LINK;
    }

    /** Bytes of the content, or of a symbolic link's target. */
    @JsonIgnore
    public long size() {
        if (content != null) {
            return content.length();
        }
        return target == null ? 0 : target.length;
    }

    /** Bytes that are there: those of holes are not. */
    @JsonIgnore
    public long allocatedBytes() {
        return content == null
                ? size()
                : content.extents().stream().mapToLong(Extent::length).sum();
    }

    /** The same, without names from now on. */
    public Inode withoutLinks(Instant now) {
        return new Inode(
                number, mode, 0, uid, gid, device, accessed, modified, now, content, target, attributes, parent);
    }

    /** The same directory, in which names have changed now. */
    public Inode touched(Instant now) {
        return new Inode(
                number, mode, links, uid, gid, device, accessed, now, now, content, target, attributes, parent);
    }

    /** The same with other content. */
    public Inode withContent(@Nullable Content other) {
        return new Inode(
                number, mode, links, uid, gid, device, accessed, modified, changed, other, target, attributes, parent);
    }
}
