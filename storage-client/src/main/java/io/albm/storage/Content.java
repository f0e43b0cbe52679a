// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.albm.core.node.NodeId;
import java.util.List;

/**
 * Where the bytes of a file lie: enough to read them without asking anybody else.
 *
 * @param generation 32 hexadecimal digits; names the blocks, and changes when they do
 * @param length bytes
 * @param crc32c CRC32C of all bytes, as an unsigned number
 * @param geometry how they are cut
 * @param nodes the nodes they lie on, in layout order
 */
public record Content(String generation, long length, long crc32c, StripeGeometry geometry, List<NodeId> nodes) {
    public Content {
        nodes = List.copyOf(nodes);
    }

    @JsonIgnore
    public Generation generationId() {
        return Generation.parse(generation);
    }

    @JsonIgnore
    public StripeLayout layout() {
        return new StripeLayout(geometry, nodes);
    }

    /** The same bytes with {@code replacement} in the place of {@code lost}. */
    public Content movedTo(NodeId lost, NodeId replacement) {
        return new Content(
                generation,
                length,
                crc32c,
                geometry,
                layout().replace(lost, replacement).nodes());
    }
}
