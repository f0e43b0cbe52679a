// SPDX-License-Identifier: Apache-2.0
package io.albm.placement.policy;

import java.util.List;

/**
 * Chooses a node for a container.
 *
 * <p>Contract, checked over every registered policy: the promises on a node never exceed its capacity; a container is
 * refused only if no node has room; the answer depends on the arguments alone, and not on the order of the nodes.
 * Implementations have no state.
 */
public interface PlacementPolicy {
    /** Where {@code container} goes, given what runs on {@code nodes} now. */
    Placement place(Container container, List<NodeLoad> nodes);
}
