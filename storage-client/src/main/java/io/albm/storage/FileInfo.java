// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.albm.core.node.NodeId;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A regular file under one of its names.
 *
 * @param path its name
 * @param inode its number in the file table; 0 if it is in none
 * @param content where its bytes lie
 * @param modified when its content was changed last, by the file table's clock
 */
public record FileInfo(String path, long inode, Content content, Instant modified) {
    /** The regular file that a path names. */
    public static FileInfo of(String path, Inode inode) {
        return new FileInfo(
                path, inode.number(), Objects.requireNonNullElse(inode.content(), Content.EMPTY), inode.modified());
    }

    /** Whether the file table may tell of it. What is not a file yet nobody replaces, moves or repairs. */
    @JsonIgnore
    boolean isInTable() {
        return inode != 0;
    }

    /** Bytes. */
    @JsonProperty
    public long length() {
        return content.length();
    }

    /** The nodes that any of its bytes are on. */
    @JsonIgnore
    public Set<NodeId> nodes() {
        return content.segments().stream()
                .flatMap(segment -> segment.nodes().stream())
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
