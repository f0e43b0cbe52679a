// SPDX-License-Identifier: Apache-2.0
package io.albm.placement.policy;

import io.albm.core.node.NodeId;

/** A policy's answer, with its reason in words for people. */
public sealed interface Placement {
    /** In one line, with the numbers that decided. */
    String reason();

    /** The container goes there. */
    record Placed(NodeId node, String reason) implements Placement {}

    /** No node can promise it its memory. */
    record Refused(String reason) implements Placement {}
}
