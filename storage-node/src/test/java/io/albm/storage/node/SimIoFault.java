// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.core.wire.Checksum;
import io.albm.storage.Block;
import io.albm.storage.BlockHeader;

/** A guard of the striped store taken away from the outside, to see that a checker notices. */
public enum SimIoFault {
    /** All guards are there. */
    NONE,
    /** I/O nodes answer before the content of a block is on disk. */
    CONTENT_NOT_SYNCED {
        @Override
        boolean isSynced(String name) {
            return !name.startsWith("tmp/") || name.startsWith("tmp/fence");
        }
    },
    /** I/O nodes seal a generation without making its names durable. */
    NAMES_NOT_SYNCED {
        @Override
        boolean isSynced(String name) {
            return !name.startsWith("blocks/");
        }
    },
    /** Readers believe what they get. */
    CHECKSUM_NOT_READ {
        @Override
        Block received(Block block) {
            BlockHeader header = block.header();
            return new Block(new BlockHeader(header.id(), header.length(), Checksum.of(block.body())), block.body());
        }
    };

    boolean isSynced(String name) {
        return true;
    }

    Block received(Block block) {
        return block;
    }
}
