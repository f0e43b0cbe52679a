// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.time.Instant;
import java.util.List;

/**
 * What the file table knows of a file: enough to read it without asking anybody else.
 *
 * @param path its name
 * @param length bytes
 * @param crc32c CRC32C of the whole content, as an unsigned number
 * @param generation 32 hexadecimal digits that change when the file is replaced
 * @param geometry how it is cut
 * @param nodes the nodes it lies on, in layout order; none for an empty file
 * @param created when it was committed, by the writer's clock
 */
public record FileInfo(
        String path,
        long length,
        long crc32c,
        String generation,
        StripeGeometry geometry,
        List<NodeId> nodes,
        Instant created) {
    public FileInfo {
        nodes = List.copyOf(nodes);
    }

    StoragePath storagePath() {
        return new StoragePath(path);
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

    /** The same file with {@code replacement} in the place of {@code lost}. */
    FileInfo movedTo(NodeId lost, NodeId replacement) {
        return new FileInfo(
                path,
                length,
                crc32c,
                generation,
                geometry,
                layout().replace(lost, replacement).nodes(),
                created);
    }
}
