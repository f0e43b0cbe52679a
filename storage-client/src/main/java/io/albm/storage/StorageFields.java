// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.wire.WireBuffers;
import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The fields that storage frames are made of. All numbers are big-endian; every value read is checked. */
final class StorageFields {
    static final int GENERATION_BYTES = 16;
    private static final int PHASES = 1 << 16;

    private StorageFields() {}

    static void putGeneration(ByteBuf out, Generation generation) {
        out.writeLong(generation.high()).writeLong(generation.low());
    }

    static Generation getGeneration(ByteBuf in) {
        return new Generation(WireBuffers.getLong(in), WireBuffers.getLong(in));
    }

    static void putBlockId(ByteBuf out, BlockId id) {
        putGeneration(out, id.generation());
        out.writeLong(id.stripe()).writeByte(id.unit());
    }

    static BlockId getBlockId(ByteBuf in) {
        Generation generation = getGeneration(in);
        long stripe = WireBuffers.getLong(in, 0, Long.MAX_VALUE);
        int unit = WireBuffers.getByte(in);
        require(unit < StripeGeometry.MAX_WIDTH, "unit " + unit);
        return new BlockId(generation, stripe, unit);
    }

    static void putBlockHeader(ByteBuf out, BlockHeader header) {
        putBlockId(out, header.id());
        out.writeInt(header.length());
        header.checksums().write(out);
    }

    static BlockHeader getBlockHeader(ByteBuf in) {
        BlockId id = getBlockId(in);
        int length = WireBuffers.getInt(in, 0, StripeGeometry.MAX_UNIT_BYTES);
        return new BlockHeader(id, length, ChunkChecksums.read(in, ChunkChecksums.count(length)));
    }

    static void putPartHeader(ByteBuf out, PartHeader header) {
        putBlockId(out, header.id());
        out.writeInt(header.length());
        out.writeInt(header.firstChunk()).writeInt(header.checksums().count());
        header.checksums().write(out);
    }

    static PartHeader getPartHeader(ByteBuf in) {
        BlockId id = getBlockId(in);
        int length = WireBuffers.getInt(in, 1, StripeGeometry.MAX_UNIT_BYTES);
        int firstChunk = WireBuffers.getInt(in, 0, ChunkChecksums.MAX_COUNT);
        int count = WireBuffers.getInt(in, 1, ChunkChecksums.MAX_COUNT);
        require(
                firstChunk + count <= ChunkChecksums.count(length),
                count + " chunks from " + firstChunk + " on of a block of " + length + " bytes");
        return new PartHeader(id, length, firstChunk, ChunkChecksums.read(in, count));
    }

    static boolean getFlag(ByteBuf in) {
        int flag = WireBuffers.getByte(in);
        require(flag <= 1, "flag " + flag);
        return flag == 1;
    }

    /** A fence is its scope and epoch; no fence is an empty scope. */
    static void putFence(ByteBuf out, @Nullable Fence fence) {
        WireBuffers.putString(out, fence == null ? "" : fence.scope());
        if (fence != null) {
            out.writeLong(fence.epoch());
        }
    }

    static @Nullable Fence getFence(ByteBuf in) {
        String scope = WireBuffers.getString(in);
        if (scope.isEmpty()) {
            return null;
        }
        long epoch = WireBuffers.getLong(in, 0, Long.MAX_VALUE);
        return checked(() -> new Fence(scope, epoch));
    }

    static Fence requireFence(ByteBuf in) {
        Fence fence = getFence(in);
        if (fence == null) {
            throw new WireException(WireCode.MALFORMED, "frame header holds no fence");
        }
        return fence;
    }

    static void putRate(ByteBuf out, WriteRate rate) {
        WireBuffers.putVarint(out, rate.bytesPerSecond());
        WireBuffers.putVarint(out, rate.fanOut());
        WireBuffers.putVarint(out, (long) (rate.phase() * PHASES));
        WireBuffers.putVarint(out, rate.lasts().toMillis());
    }

    static WriteRate getRate(ByteBuf in) {
        long bytesPerSecond = WireBuffers.getVarint(in);
        long fanOut = WireBuffers.getVarint(in);
        double phase = (double) WireBuffers.getVarint(in) / PHASES;
        long millis = WireBuffers.getVarint(in);
        return checked(() -> new WriteRate(
                bytesPerSecond, Math.clamp(fanOut, 0, Integer.MAX_VALUE), phase, Duration.ofMillis(millis)));
    }

    private static <T> T checked(Supplier<T> value) {
        try {
            return value.get();
        } catch (IllegalArgumentException e) {
            throw new WireException(WireCode.MALFORMED, "frame header holds a " + e.getMessage());
        }
    }

    private static void require(boolean condition, String found) {
        if (!condition) {
            throw new WireException(WireCode.MALFORMED, "frame header holds " + found);
        }
    }
}
