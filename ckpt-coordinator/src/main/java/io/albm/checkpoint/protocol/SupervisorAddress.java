// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.protocol;

import io.albm.core.node.NodeAddress;

/**
 * Who supervises a job now: an ephemeral record of the supervisor's session.
 *
 * @param address where it takes commands
 * @param host name of its machine
 * @param pid its process there
 */
public record SupervisorAddress(NodeAddress address, String host, long pid) {}
