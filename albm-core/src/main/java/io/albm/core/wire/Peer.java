// SPDX-License-Identifier: Apache-2.0
package io.albm.core.wire;

import io.albm.core.node.NodeAddress;

/** Who sent a request. */
public record Peer(NodeAddress address) {}
