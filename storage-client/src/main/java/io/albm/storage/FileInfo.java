// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * What the file table knows of a file: enough to read it without asking anybody else.
 *
 * @param path its name
 * @param inode its number in the file table
 * @param length bytes
 * @param crc32c CRC32C of the whole content, as an unsigned number
 * @param generation 32 hexadecimal digits that change when the file is replaced
 * @param geometry how it is cut
 * @param nodes the nodes it lies on, in layout order; none for an empty file
 * @param created when its content was committed, by the file table's clock
 */
public record FileInfo(
        String path,
        long inode,
        long length,
        long crc32c,
        String generation,
        StripeGeometry geometry,
        List<NodeId> nodes,
        Instant created) {
    private static final Content EMPTY = new Content(
            "0".repeat(Generation.TEXT_LENGTH),
            0,
            0,
            new StripeGeometry(1, 0, StripeGeometry.MIN_UNIT_BYTES),
            List.of());

    public FileInfo {
        nodes = List.copyOf(nodes);
    }

    /** The regular file that a path names. One without content is empty. */
    public static FileInfo of(String path, Inode inode) {
        Content content = Objects.requireNonNullElse(inode.content(), EMPTY);
        return new FileInfo(
                path,
                inode.number(),
                content.length(),
                content.crc32c(),
                content.generation(),
                content.geometry(),
                content.nodes(),
                inode.modified());
    }

    Content content() {
        return new Content(generation, length, crc32c, geometry, nodes);
    }

    Generation generationId() {
        return Generation.parse(generation);
    }

    StripeLayout layout() {
        return new StripeLayout(geometry, nodes);
    }

    boolean liesOn(NodeId node) {
        return nodes.contains(node);
    }

    boolean sameGeneration(FileInfo other) {
        return generation.equals(other.generation);
    }

    /** Whether it is the other's content on the same nodes. */
    boolean hasContentOf(FileInfo other) {
        return content().equals(other.content());
    }
}
