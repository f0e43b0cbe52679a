// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import io.albm.core.node.NodeAddress;
import java.util.Optional;

/** What must be known of hosts that keep copies of each other's states. Thread-safe, does not block. */
public interface PartnerHosts {
    /** Where other hosts read the copies of this one; empty if it has left. */
    Optional<NodeAddress> address(String host);

    /** What a host fails with; its own name if it does not say, or has left. */
    String domain(String host);
}
