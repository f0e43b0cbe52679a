// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.wire.Frame;
import io.albm.core.wire.WireBuffers;
import io.albm.core.wire.WireException;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * What a client asks an I/O node: the header of a request frame, types 0x11 to 0x16, 0x18, 0x19, 0x1c, 0x1d, 0x1e, 0x90 and 0x98.
 * {@code docs/wire-storage.md} draws each; golden files pin them.
 */
public sealed interface StorageRequest {
    /** The frame's type. */
    int type();

    /** Appends the header's bytes. */
    void write(ByteBuf header);

    /**
     * Store the block in the body.
     *
     * @param sender whose credit it uses
     */
    record Write(
            Sender sender,
            BlockHeader block,
            WriteMode mode,
            @Nullable Fence fence) implements StorageRequest {
        static final int TYPE = 0x90;
        static final int BACKGROUND_TYPE = 0x98;

        @Override
        public int type() {
            return background() ? BACKGROUND_TYPE : TYPE;
        }

        /** Whether it can wait for those who cannot. */
        public boolean background() {
            return sender.background();
        }

        /** Whose credit a frame with that header uses; null if it is no write. Moves no index. */
        public static @Nullable Sender sender(int type, ByteBuf header) {
            return type == TYPE || type == BACKGROUND_TYPE
                    ? new Sender(WireBuffers.getLong(header.duplicate()), type == BACKGROUND_TYPE)
                    : null;
        }

        @Override
        public void write(ByteBuf header) {
            header.writeLong(sender.id());
            StorageFields.putBlockHeader(header, block);
            header.writeBoolean(mode == WriteMode.REPAIR);
            StorageFields.putFence(header, fence);
        }

        static Write read(ByteBuf header, boolean background) {
            return new Write(
                    new Sender(WireBuffers.getLong(header), background),
                    StorageFields.getBlockHeader(header),
                    StorageFields.getFlag(header) ? WriteMode.REPAIR : WriteMode.NEW,
                    StorageFields.getFence(header));
        }
    }

    /**
     * Send the chunks that hold a range of the block.
     *
     * @param from start of the range in the block's body, in bytes
     * @param length bytes, at least 1
     * @param background whether it can wait for those who cannot
     */
    record Read(BlockId block, int from, int length, boolean background) implements StorageRequest {
        static final int TYPE = 0x11;
        static final int BACKGROUND_TYPE = 0x18;

        @Override
        public int type() {
            return background ? BACKGROUND_TYPE : TYPE;
        }

        @Override
        public void write(ByteBuf header) {
            StorageFields.putBlockId(header, block);
            header.writeInt(from).writeInt(length);
        }

        static Read read(ByteBuf header, boolean background) {
            return new Read(
                    StorageFields.getBlockId(header),
                    WireBuffers.getInt(header, 0, StripeGeometry.MAX_UNIT_BYTES),
                    WireBuffers.getInt(header, 1, StripeGeometry.MAX_UNIT_BYTES),
                    background);
        }
    }

    /** Read the block from the disk and check it. */
    record Verify(BlockId block) implements StorageRequest {
        static final int TYPE = 0x12;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void write(ByteBuf header) {
            StorageFields.putBlockId(header, block);
        }

        static Verify read(ByteBuf header) {
            return new Verify(StorageFields.getBlockId(header));
        }
    }

    /** Make the names of the generation's blocks durable and count them. */
    record Seal(Generation generation, @Nullable Fence fence) implements StorageRequest {
        static final int TYPE = 0x13;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void write(ByteBuf header) {
            StorageFields.putGeneration(header, generation);
            StorageFields.putFence(header, fence);
        }

        static Seal read(ByteBuf header) {
            return new Seal(StorageFields.getGeneration(header), StorageFields.getFence(header));
        }
    }

    /** Remove all blocks of the generation. */
    record Remove(Generation generation, @Nullable Fence fence) implements StorageRequest {
        static final int TYPE = 0x14;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void write(ByteBuf header) {
            StorageFields.putGeneration(header, generation);
            StorageFields.putFence(header, fence);
        }

        static Remove read(ByteBuf header) {
            return new Remove(StorageFields.getGeneration(header), StorageFields.getFence(header));
        }
    }

    /**
     * Remove all blocks of the generation, unless it was sealed since a listing.
     *
     * @param listing see {@link GenerationPage}
     */
    record Sweep(Generation generation, long listing) implements StorageRequest {
        static final int TYPE = 0x1e;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void write(ByteBuf header) {
            StorageFields.putGeneration(header, generation);
            header.writeLong(listing);
        }

        static Sweep read(ByteBuf header) {
            return new Sweep(StorageFields.getGeneration(header), WireBuffers.getLong(header));
        }
    }

    /** List the generations after the given one, or from the first. */
    record Generations(@Nullable Generation after) implements StorageRequest {
        static final int TYPE = 0x15;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void write(ByteBuf header) {
            header.writeBoolean(after != null);
            if (after != null) {
                StorageFields.putGeneration(header, after);
            }
        }

        static Generations read(ByteBuf header) {
            return new Generations(StorageFields.getFlag(header) ? StorageFields.getGeneration(header) : null);
        }
    }

    /**
     * Set room aside for blocks of the generation.
     *
     * @param blocks how many, at least 0
     * @param bytes of all their bodies, at least 0
     */
    record SetAside(
            Generation generation,
            long blocks,
            long bytes,
            @Nullable Fence fence) implements StorageRequest {
        static final int TYPE = 0x19;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void write(ByteBuf header) {
            StorageFields.putGeneration(header, generation);
            WireBuffers.putVarint(header, blocks);
            WireBuffers.putVarint(header, bytes);
            StorageFields.putFence(header, fence);
        }

        static SetAside read(ByteBuf header) {
            return new SetAside(
                    StorageFields.getGeneration(header),
                    WireBuffers.getVarint(header),
                    WireBuffers.getVarint(header),
                    StorageFields.getFence(header));
        }
    }

    /**
     * Grant credit for blocks that are to be sent, when it is the sender's turn.
     *
     * @param bytes what they {@linkplain Credit#cost take}, 1 to 16 MiB
     * @param first what the first of them takes, 1 to {@code bytes}: all that a node with a {@linkplain Pace rate} grants in a turn
     */
    record Ask(Sender sender, int bytes, int first) implements StorageRequest {
        static final int TYPE = 0x1c;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void write(ByteBuf header) {
            header.writeLong(sender.id())
                    .writeBoolean(sender.background())
                    .writeInt(bytes)
                    .writeInt(first);
        }

        static Ask read(ByteBuf header) {
            Sender sender = new Sender(WireBuffers.getLong(header), StorageFields.getFlag(header));
            int bytes = WireBuffers.getInt(header, 1, StripeGeometry.MAX_UNIT_BYTES);
            return new Ask(sender, bytes, WireBuffers.getInt(header, 1, bytes));
        }
    }

    /** Grant credit at this rate. */
    record Pace(WriteRate rate, Fence fence) implements StorageRequest {
        static final int TYPE = 0x1d;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void write(ByteBuf header) {
            StorageFields.putRate(header, rate);
            StorageFields.putFence(header, fence);
        }

        static Pace read(ByteBuf header) {
            return new Pace(StorageFields.getRate(header), StorageFields.requireFence(header));
        }
    }

    /** Say how much room there is. */
    record Space() implements StorageRequest {
        static final int TYPE = 0x16;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void write(ByteBuf header) {
            // The type says all.
        }
    }

    /**
     * Reads the header of a request frame, which stays the caller's.
     *
     * @throws WireException for a type that is no storage request, or a header that does not fit its type
     */
    static StorageRequest read(Frame frame) {
        ByteBuf header = frame.header();
        StorageRequest request = switch (frame.type()) {
            case Write.TYPE -> Write.read(header, false);
            case Write.BACKGROUND_TYPE -> Write.read(header, true);
            case Read.TYPE -> Read.read(header, false);
            case Read.BACKGROUND_TYPE -> Read.read(header, true);
            case Verify.TYPE -> Verify.read(header);
            case Seal.TYPE -> Seal.read(header);
            case Remove.TYPE -> Remove.read(header);
            case Sweep.TYPE -> Sweep.read(header);
            case Generations.TYPE -> Generations.read(header);
            case SetAside.TYPE -> SetAside.read(header);
            case Ask.TYPE -> Ask.read(header);
            case Pace.TYPE -> Pace.read(header);
            case Space.TYPE -> new Space();
            default -> throw WireException.unknownType(frame);
        };
        WireBuffers.requireEnd(header);
        return request;
    }
}
