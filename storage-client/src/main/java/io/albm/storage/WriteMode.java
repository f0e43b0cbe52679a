// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

/** What writing a block does when the node has the block already. */
public enum WriteMode {
    /** The same content counts as written (a retry), other content is refused. */
    NEW,
    /** Takes the old block's place: for blocks rebuilt from parity, whose content is right by construction. */
    REPAIR
}
