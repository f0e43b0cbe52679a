// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.node.NodeId;
import java.util.List;

/**
 * Whether a node can leave: as many nodes have to stay as any segment of it lies on, and as a new file needs, with room for what
 * it holds, and in failure domains that bear the loss of each as they do now.
 *
 * @param staying the nodes that take blocks and stay
 * @param crowded files that would have more units in a failure domain than may be lost, and do not now
 */
record Retirement(NodeId node, List<NodeId> staying, List<FileInfo> files, long crowded, SpaceInfo space) {
    Retirement {
        staying = List.copyOf(staying);
    }

    /** @param parityUnits of new files */
    void check(int parityUnits) throws StorageException {
        long tooWide = files.stream().filter(this::isTooWide).count();
        if (tooWide > 0) {
            throw refused(staying.size() + " nodes would stay, and " + tooWide + " of its files lie on more");
        }
        if (staying.size() < 1 + parityUnits) {
            throw refused(staying.size() + " nodes would stay, and a new file needs " + (1 + parityUnits));
        }
        if (crowded > 0) {
            throw refused(crowded + " of its files would have more units in a failure domain than may be lost");
        }
        NodeSpace own = space.nodes().get(node);
        long free = space.nodes().entrySet().stream()
                .filter(other -> staying.contains(other.getKey()))
                .mapToLong(other -> other.getValue().free())
                .sum();
        if (own != null && own.used() > free) {
            throw refused("it holds " + own.used() + " bytes, and the others have room for " + free);
        }
    }

    private boolean isTooWide(FileInfo file) {
        return file.content().segments().stream()
                .anyMatch(segment -> segment.liesOn(node) && segment.nodes().size() > staying.size());
    }

    private StorageException refused(String reason) {
        return new StorageException.CannotRetire(node, reason);
    }
}
