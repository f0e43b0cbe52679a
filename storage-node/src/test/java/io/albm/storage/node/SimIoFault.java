// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.storage.BlockPart;
import io.albm.storage.ChunkChecksums;
import io.albm.storage.PartHeader;

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
        BlockPart received(BlockPart part) {
            PartHeader header = part.header();
            ChunkChecksums seen = ChunkChecksums.of(part.body());
            return new BlockPart(new PartHeader(header.id(), header.length(), header.firstChunk(), seen), part.body());
        }
    };

    boolean isSynced(String name) {
        return true;
    }

    BlockPart received(BlockPart part) {
        return part;
    }
}
