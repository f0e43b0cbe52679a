// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.storage.Fence;
import java.io.IOException;

/** A writer's epoch is lower than one seen before in its scope. Nothing was changed. */
final class StaleEpochException extends IOException {
    StaleEpochException(Fence fence, long highest) {
        super("scope " + fence.scope() + " is at epoch " + highest + " here, the writer at " + fence.epoch());
    }
}
