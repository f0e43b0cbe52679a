// SPDX-License-Identifier: Apache-2.0
package io.albm.storage.node;

import io.albm.storage.Fence;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.zip.CRC32C;

/**
 * The highest epoch seen in each scope, remembered on disk before the first write under it is let through. A node that
 * starts again refuses what it refused before. Thread-safe; costs a file write when an epoch rises, and else a look-up.
 */
final class Fences {
    private static final String DIRECTORY = "fences";

    /** An epoch, a space and a checksum have fewer. */
    private static final int MAX_TEXT_BYTES = 64;

    private final BlockDisk disk;
    private final ConcurrentMap<String, Long> highest = new ConcurrentHashMap<>();

    Fences(BlockDisk disk) throws IOException {
        this.disk = disk;
        for (BlockDisk.Entry file : disk.files(DIRECTORY)) {
            highest.put(file.name(), readEpoch(file.name()));
        }
    }

    /** An epoch that a flipped bit made another one would let the wrong writers through. */
    private long readEpoch(String scope) throws IOException {
        ByteBuf bytes = read(DIRECTORY + "/" + scope);
        try {
            String text = bytes.toString(StandardCharsets.US_ASCII);
            String epoch = text.split(" ", 2)[0];
            if (!text.equals(text(scope, epoch))) {
                throw new IOException("fence file " + DIRECTORY + "/" + scope
                        + " is corrupt; replace this node: start it with an empty data directory");
            }
            return Long.parseLong(epoch);
        } finally {
            bytes.release();
        }
    }

    private static String text(String scope, String epoch) {
        CRC32C crc = new CRC32C();
        crc.update((scope + " " + epoch).getBytes(StandardCharsets.US_ASCII));
        return "%s %08x".formatted(epoch, crc.getValue());
    }

    private ByteBuf read(String name) throws IOException {
        try (BlockFile file = disk.open(name)) {
            return file.read(0, MAX_TEXT_BYTES, ByteBufAllocator.DEFAULT);
        }
    }

    /** Lets a writer through, or fails if a newer one has been here. */
    void admit(Fence fence) throws IOException {
        Long seen = highest.get(fence.scope());
        if (seen == null || seen < fence.epoch()) {
            raise(fence);
        } else if (seen > fence.epoch()) {
            throw new StaleEpochException(fence, seen);
        }
    }

    private synchronized void raise(Fence fence) throws IOException {
        Long seen = highest.get(fence.scope());
        if (seen == null || seen < fence.epoch()) {
            store(fence);
            highest.put(fence.scope(), fence.epoch());
        } else if (seen > fence.epoch()) {
            throw new StaleEpochException(fence, seen);
        }
    }

    private void store(Fence fence) throws IOException {
        String temporary = BlockStore.TEMPORARY + "/fence-" + fence.scope();
        ByteBuf text =
                Unpooled.copiedBuffer(text(fence.scope(), Long.toString(fence.epoch())), StandardCharsets.US_ASCII);
        disk.writeDurably(temporary, text);
        disk.rename(temporary, DIRECTORY + "/" + fence.scope());
        disk.syncDirectory(DIRECTORY);
    }
}
