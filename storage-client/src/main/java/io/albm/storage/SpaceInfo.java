// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.util.List;
import java.util.Map;

/**
 * Room in the single I/O space: the sum over the nodes that answer, parity included.
 *
 * @param nodes room by node
 * @param unreachable members that did not answer
 */
public record SpaceInfo(Map<NodeId, NodeSpace> nodes, List<NodeId> unreachable) {
    public SpaceInfo {
        nodes = Map.copyOf(nodes);
        unreachable = List.copyOf(unreachable);
    }

    public long capacity() {
        return nodes.values().stream().mapToLong(NodeSpace::capacity).sum();
    }

    public long used() {
        return nodes.values().stream().mapToLong(NodeSpace::used).sum();
    }

    public long free() {
        return nodes.values().stream().mapToLong(NodeSpace::free).sum();
    }
}
