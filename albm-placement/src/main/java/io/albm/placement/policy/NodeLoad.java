// SPDX-License-Identifier: Apache-2.0
package io.albm.placement.policy;

import io.albm.core.node.NodeId;
import java.util.ArrayList;
import java.util.List;

/**
 * A node and what runs on it.
 *
 * @param node its id
 * @param capacityBytes memory for containers
 * @param usedByOthersBytes memory in use by what is not among the containers
 * @param memoryPressure share of time that its tasks were measured to wait for memory, 0 to 1
 * @param containers what was placed on it
 */
public record NodeLoad(
        NodeId node, long capacityBytes, long usedByOthersBytes, double memoryPressure, List<Container> containers) {
    public NodeLoad {
        containers = List.copyOf(containers);
        if (capacityBytes < 0 || usedByOthersBytes < 0 || !(memoryPressure >= 0 && memoryPressure <= 1)) {
            throw new IllegalArgumentException("node " + node + ": capacity " + capacityBytes + " bytes, used "
                    + usedByOthersBytes + " bytes, memory pressure " + memoryPressure
                    + "; bytes may not be negative and pressure lies within 0 to 1");
        }
    }

    /** A node on which nothing runs yet. */
    public static NodeLoad empty(NodeId node, long capacityBytes) {
        return new NodeLoad(node, capacityBytes, 0, 0, List.of());
    }

    /** The same node with one more container. */
    NodeLoad with(Container container) {
        List<Container> more = new ArrayList<>(containers);
        more.add(container);
        return new NodeLoad(node, capacityBytes, usedByOthersBytes, memoryPressure, more);
    }

    /** Whether the node can promise {@code container} its memory on top of its promises. */
    public boolean hasRoomFor(Container container) {
        return container.reservedBytes() <= freeBytes();
    }

    /** Capacity that is neither promised nor used by others; 0 if it is overdrawn. */
    public long freeBytes() {
        long free = capacityBytes - usedByOthersBytes;
        for (Container container : containers) {
            free -= Math.min(free, container.reservedBytes());
        }
        return Math.max(0, free);
    }

    /** What would be kept in use, as a share of capacity; above 1 the working sets do not fit. */
    double demandShare() {
        double demand = usedByOthersBytes;
        for (Container container : containers) {
            demand += container.demandBytes();
        }
        return capacityBytes == 0 ? (demand == 0 ? 0 : Double.MAX_VALUE) : demand / capacityBytes;
    }
}
