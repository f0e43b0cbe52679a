// SPDX-License-Identifier: Apache-2.0
package io.albm.checkpoint.job;

import io.albm.checkpoint.protocol.StoredUnit;
import io.albm.core.node.NodeAddress;
import org.jspecify.annotations.Nullable;

/**
 * One rank's state that is to be put together.
 *
 * @param keeper another host that may have a copy, to be asked before anything is fetched; null for none
 */
public record RestoreOrder(StoredUnit unit, @Nullable NodeAddress keeper) {}
