// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Where each unit of a file lies: the pure heart of the striped store.
 *
 * <p><b>Why stripes.</b> A file cut into units over many nodes is written and read at the sum of their disks' and links'
 * speed: paper P5 measured 92 % (write) and 81 % (read) of a local disk over a network, two to three times NFS. What P5's
 * system lacked is a byte that survives its disk. Here each stripe of K data units carries M units of parity on nodes of
 * their own, so any M nodes may be lost at any moment, at a cost of M/K more space instead of M whole copies.
 *
 * <p><b>Which nodes.</b> A file lies on K + M distinct nodes, taken from those alive when it was written by
 * {@link RendezvousPlacement}, at most M of a failure domain ({@link DomainSpread}); the choice is written down in the
 * file's entry. So a node that joins or leaves moves nothing that is already stored, and a reader needs no history of the
 * membership to find a block. The price is the node names in every entry.
 *
 * <p><b>Which unit where.</b> Data unit {@code i} of the file, counted through all stripes, lies on node
 * {@code i mod width}: any {@code width} consecutive units are on distinct nodes, so a sequential reader always draws on
 * all of them. Parity falls on what is left of each stripe and thereby moves M nodes further with every stripe
 * (RAID 5's left-symmetric order). The list of nodes starts with another node for every file, so that many files written at
 * once, as in a checkpoint (paper P3), do not all begin on the same node.
 *
 * <p><b>Costs.</b> Both directions are O(1) and allocate nothing. Instances are immutable and free to share.
 *
 * @param nodes the file's nodes, {@code geometry.width()} distinct ones, in layout order
 */
public record StripeLayout(StripeGeometry geometry, List<NodeId> nodes) {
    public StripeLayout {
        nodes = List.copyOf(nodes);
        if (nodes.size() != geometry.width() || new HashSet<>(nodes).size() != nodes.size()) {
            throw new IllegalArgumentException(
                    "layout over " + nodes + ": expected " + geometry.width() + " distinct nodes");
        }
    }

    /** The node that holds unit {@code unit} of stripe {@code stripe}. */
    public NodeId nodeOf(long stripe, int unit) {
        return nodes.get(Math.floorMod(unit - stripe * geometry.parityUnits(), geometry.width()));
    }

    /** The unit of stripe {@code stripe} that {@code node} holds. @throws IllegalArgumentException if it holds none */
    public int unitOn(NodeId node, long stripe) {
        int position = nodes.indexOf(node);
        if (position < 0) {
            throw new IllegalArgumentException(node + ": not a node of " + nodes);
        }
        return Math.floorMod(position + stripe * geometry.parityUnits(), geometry.width());
    }

    /** Number of blocks a file of {@code length} bytes has on {@code node}. */
    public long blocksOn(NodeId node, long length) {
        long stripes = geometry.stripes(length);
        if (stripes == 0) {
            return 0;
        }
        int lastBytes = geometry.bytesInStripe(length, stripes - 1);
        return geometry.unitLength(lastBytes, unitOn(node, stripes - 1)) > 0 ? stripes : stripes - 1;
    }

    /** Bytes of the blocks that a file of {@code length} bytes has on {@code node}. */
    public long bytesOn(NodeId node, long length) {
        long stripes = geometry.stripes(length);
        if (stripes == 0) {
            return 0;
        }
        int lastBytes = geometry.bytesInStripe(length, stripes - 1);
        return (stripes - 1) * geometry.unitBytes() + geometry.unitLength(lastBytes, unitOn(node, stripes - 1));
    }

    /**
     * The layout of a segment that ends within its first unit: M + 1 copies on nodes of this layout, in as many failure domains
     * as there are, and else where the units are that equal each other.
     */
    StripeLayout copied(Function<NodeId, FailureDomain> domains) {
        List<NodeId> equalUnitsFirst = IntStream.range(0, geometry.width())
                .boxed()
                .sorted(Comparator.comparing(unit -> unit > 0 && unit < geometry.dataUnits()))
                .map(unit -> nodeOf(0, unit))
                .toList();
        StripeGeometry copies = geometry.copied();
        return new StripeLayout(
                copies, DomainSpread.inRounds(equalUnitsFirst, domains).subList(0, copies.width()));
    }

    /** The same layout with {@code replacement} in the place of {@code lost}: no other unit moves. */
    public StripeLayout replace(NodeId lost, NodeId replacement) {
        return new StripeLayout(
                geometry,
                nodes.stream()
                        .map(node -> node.equals(lost) ? replacement : node)
                        .toList());
    }
}
