// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.storage.BlockId;
import java.io.IOException;

/** A block's file is not what was written, or the disk cannot read it. */
final class CorruptBlockException extends IOException {
    CorruptBlockException(BlockId id, String reason) {
        super("block " + id + ": " + reason);
    }
}
