// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.albm.core.node.NodeId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Bytes that were written together, striped over nodes, or in the file table itself. A segment never changes but for the
 * nodes it lies on.
 *
 * @param generation 32 hexadecimal digits that name its blocks
 * @param length bytes
 * @param geometry how they are cut
 * @param nodes the nodes they lie on, in layout order; none if they are in the file table
 * @param inline the bytes if they are in the file table; null if they are on nodes
 */
public record Segment(
        String generation,
        long length,
        StripeGeometry geometry,
        List<NodeId> nodes,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable InlineBytes inline) {
    /** What is in the file table is one unit that nothing is a copy of. */
    private static final StripeGeometry UNCUT = new StripeGeometry(1, 0, StripeGeometry.MIN_UNIT_BYTES);

    public Segment {
        nodes = List.copyOf(nodes);
        if (inline != null && (length != inline.length() || !nodes.isEmpty())) {
            throw new IllegalArgumentException("segment " + generation + " of " + length + " bytes on " + nodes + ": "
                    + inline + " in the file table");
        }
    }

    /** Bytes on nodes. */
    public Segment(String generation, long length, StripeGeometry geometry, List<NodeId> nodes) {
        this(generation, length, geometry, nodes, null);
    }

    /** Bytes in the file table. */
    public static Segment ofInline(String generation, InlineBytes bytes) {
        return new Segment(generation, bytes.length(), UNCUT, List.of(), bytes);
    }

    /** Whether the file table has the bytes. */
    @JsonIgnore
    public boolean isInline() {
        return inline != null;
    }

    /** Bytes that the file table has. */
    @JsonIgnore
    public long inlineBytes() {
        return isInline() ? length : 0;
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
