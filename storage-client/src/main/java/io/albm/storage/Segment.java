// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import com.fasterxml.jackson.annotation.JsonIgnore;
import io.albm.core.node.NodeId;
import java.util.List;

/**
 * Bytes that were written together, striped over nodes. A segment never changes but for the nodes it lies on.
 *
 * @param generation 32 hexadecimal digits that name its blocks
 * @param length bytes
 * @param geometry how they are cut
 * @param nodes the nodes they lie on, in layout order
 */
public record Segment(String generation, long length, StripeGeometry geometry, List<NodeId> nodes) {
    public Segment {
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

    /** Stripes that it has. */
    @JsonIgnore
    public long stripes() {
        return geometry.stripes(length);
    }

    boolean liesOn(NodeId node) {
        return nodes.contains(node);
    }

    /** The same bytes with {@code replacement} in the place of {@code lost}. */
    public Segment movedTo(NodeId lost, NodeId replacement) {
        return new Segment(
                generation,
                length,
                geometry,
                layout().replace(lost, replacement).nodes());
    }
}
