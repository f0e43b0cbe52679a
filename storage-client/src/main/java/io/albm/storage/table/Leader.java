// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.table;

import io.albm.core.node.NodeId;

/** Who leads the table, for clients. */
record Leader(NodeId node) {}
