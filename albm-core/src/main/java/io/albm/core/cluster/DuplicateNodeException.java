// SPDX-License-Identifier: Apache-2.0
package io.albm.core.cluster;

import io.albm.core.node.NodeId;

/** Another process that is alive already runs under this node id. */
public final class DuplicateNodeException extends RuntimeException {
    /** @param holder who holds the id, in words that help to find it, such as "process 4711, http 10.0.0.7:8101" */
    public DuplicateNodeException(NodeId id, String holder) {
        super("node id " + id + " is in use by " + holder + "; stop that process or start this one with another --id");
    }
}
