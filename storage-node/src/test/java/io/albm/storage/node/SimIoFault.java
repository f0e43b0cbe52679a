// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.storage.BlockClient;
import io.albm.storage.BlockPart;
import io.albm.storage.ChunkChecksums;
import io.albm.storage.Fence;
import io.albm.storage.FileTable;
import io.albm.storage.Generation;
import io.albm.storage.PartHeader;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A guard of the striped store taken away from the outside, to see that a checker notices. */
public enum SimIoFault {
    /** All guards are there. */
    NONE,
    /** I/O nodes name a block before its content is on disk. */
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
    /** I/O nodes seal a generation without making the name of its directory durable. */
    DIRECTORY_NOT_SYNCED {
        @Override
        boolean isSynced(String name) {
            return !name.equals("blocks");
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
    },
    /** I/O nodes write a block over what is there of it. */
    REPAIR_IN_PLACE {
        @Override
        boolean isWrittenInPlace(String name) {
            return name.startsWith("blocks/");
        }
    },
    /** I/O nodes write a file over again whose old name may come back, and do not see it when it has. */
    OLD_NAMES_LEFT {
        @Override
        boolean leavesOldNames() {
            return true;
        }
    },
    /** I/O nodes seal a generation while its blocks are on their way to the disk. */
    SEAL_NOT_WAITING {
        @Override
        long seal(BlockStore store, Generation generation, @Nullable Fence fence) {
            return Long.MAX_VALUE;
        }
    },
    /** Writers do not look how many blocks were sealed. */
    SEAL_NOT_COUNTED {
        @Override
        long seal(BlockStore store, Generation generation, @Nullable Fence fence) throws IOException {
            store.seal(generation, fence);
            return Long.MAX_VALUE;
        }
    },
    /** Writers commit before they know of the seal. */
    COMMIT_BEFORE_SEAL {
        @Override
        CompletableFuture<Long> sealed(CompletableFuture<Long> answer) {
            return CompletableFuture.completedFuture(Long.MAX_VALUE);
        }
    },
    /** Who replaces a file removes the old blocks first. */
    REMOVAL_BEFORE_COMMIT {
        @Override
        FileTable table(FileTable table, BlockClient blocks, Supplier<FileTable> again) {
            return new CarelessTable.RemovingFirst(table, blocks);
        }
    },
    /** A writer whose session is over announces again, and publishes what a sweep may have taken for garbage. */
    STALE_GENERATION_PUBLISHED {
        @Override
        FileTable table(FileTable table, BlockClient blocks, Supplier<FileTable> again) {
            return new CarelessTable.AnnouncingAgain(table, again);
        }
    },
    /** A sweep does not ask who is writing. */
    ANNOUNCEMENT_NOT_SEEN {
        @Override
        FileTable table(FileTable table, BlockClient blocks, Supplier<FileTable> again) {
            return new CarelessTable.SweepingWrites(table);
        }
    },
    /** Blocks are removed when a change has freed them, and not when that is durable. */
    FREED_BEFORE_SYNC {
        @Override
        FileTable table(FileTable table, BlockClient blocks, Supplier<FileTable> again) {
            return new CarelessTable.NotSyncing(table);
        }
    };

    boolean isSynced(String name) {
        return true;
    }

    boolean leavesOldNames() {
        return false;
    }

    boolean isWrittenInPlace(String name) {
        return false;
    }

    BlockPart received(BlockPart part) {
        return part;
    }

    long seal(BlockStore store, Generation generation, @Nullable Fence fence) throws IOException {
        return store.seal(generation, fence);
    }

    CompletableFuture<Long> sealed(CompletableFuture<Long> answer) {
        return answer;
    }

    /** @param again the table in another session */
    FileTable table(FileTable table, BlockClient blocks, Supplier<FileTable> again) {
        return table;
    }
}
