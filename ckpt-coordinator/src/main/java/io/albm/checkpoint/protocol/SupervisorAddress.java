// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import io.albm.core.node.NodeAddress;

/**
 * Who supervises a job now: an ephemeral record of the supervisor's session.
 *
 * @param address where it takes commands
 * @param host name of its machine
 * @param pid its process there
 * @param run of the job that it began; 0 if it has none yet
 */
public record SupervisorAddress(NodeAddress address, String host, long pid, long run) {
    public SupervisorAddress(NodeAddress address, String host, long pid) {
        this(address, host, pid, 0);
    }

    /** The same in that run. */
    public SupervisorAddress withRun(long other) {
        return new SupervisorAddress(address, host, pid, other);
    }
}
