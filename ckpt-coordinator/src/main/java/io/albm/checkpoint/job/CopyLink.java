// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import io.albm.core.node.NodeAddress;
import java.io.IOException;

/** Reads copies that other hosts have. Blocks; thread-safe. */
@FunctionalInterface
public interface CopyLink {
    /** For a host that is no other one's partner. */
    CopyLink NONE = (from, range) -> {
        throw new IOException("this host reads no copies of others");
    };

    /**
     * Reads from a copy, in bounded time.
     *
     * @return fewer bytes than wanted only at the end
     */
    byte[] read(NodeAddress from, CopyRange range) throws IOException;
}
