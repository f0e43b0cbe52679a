// SPDX-License-Identifier: Apache-2.0
package io.albm.storage;

import io.albm.core.wire.Frame;
import io.albm.core.wire.WireBuffers;
import io.albm.core.wire.WireCode;
import io.albm.core.wire.WireException;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/** What an I/O node answers: the header of a reply frame, types 0x20 to 0x24, 0x26, 0x27 and 0xa1. */
public sealed interface StorageReply {
    /** The frame's type. */
    int type();

    /** Appends the header's bytes. */
    void write(ByteBuf header);

    /** It is done. */
    record Done() implements StorageReply {
        static final int TYPE = 0x20;

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
     * The block is written.
     *
     * @param credit bytes that the sender is granted with that
     */
    record Written(long credit) implements StorageReply {
        static final int TYPE = 0x26;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void write(ByteBuf header) {
            WireBuffers.putVarint(header, credit);
        }
    }

    /**
     * What became of an ask.
     *
     * @param bytes what the sender is granted: what it asked for or what its first block takes, or 0 if it is not its turn yet.
     *     Then it asks again, and has kept its place
     * @param stuckMillis for how long the node has been full, and nothing of it was written; 0 while it grants or could
     * @param bytesPerSecond at which what is granted is to be sent, about; 0 as fast as it goes, and if nothing is granted
     */
    record Granted(long bytes, long stuckMillis, long bytesPerSecond) implements StorageReply {
        static final int TYPE = 0x27;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void write(ByteBuf header) {
            WireBuffers.putVarint(header, bytes);
            WireBuffers.putVarint(header, stuckMillis);
            WireBuffers.putVarint(header, bytesPerSecond);
        }

        static Granted read(ByteBuf header) {
            return new Granted(
                    WireBuffers.getVarint(header), WireBuffers.getVarint(header), WireBuffers.getVarint(header));
        }
    }

    /** Chunks of a block, which are the frame's body. */
    record Part(PartHeader part) implements StorageReply {
        static final int TYPE = 0xA1;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void write(ByteBuf header) {
            StorageFields.putPartHeader(header, part);
        }
    }

    /** A block that was read from the disk and is good. */
    record Found(BlockHeader block) implements StorageReply {
        static final int TYPE = 0x21;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void write(ByteBuf header) {
            StorageFields.putBlockHeader(header, block);
        }
    }

    /** The number of blocks of a generation that was sealed, or of what a sweep has left of it. */
    record Sealed(long blocks) implements StorageReply {
        static final int TYPE = 0x22;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void write(ByteBuf header) {
            WireBuffers.putVarint(header, blocks);
        }
    }

    /**
     * A page of generations; they are the frame's body, 16 bytes each.
     *
     * @param listing see {@link GenerationPage}
     */
    record Listed(boolean more, long listing) implements StorageReply {
        static final int TYPE = 0x23;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void write(ByteBuf header) {
            header.writeBoolean(more).writeLong(listing);
        }

        static Listed read(ByteBuf header) {
            return new Listed(StorageFields.getFlag(header), WireBuffers.getLong(header));
        }

        /** @param body the frame's */
        GenerationPage page(ByteBuf body) {
            return new GenerationPage(readGenerations(body), more, listing);
        }
    }

    /** The node's room. */
    record Room(NodeSpace space) implements StorageReply {
        static final int TYPE = 0x24;

        @Override
        public int type() {
            return TYPE;
        }

        @Override
        public void write(ByteBuf header) {
            WireBuffers.putVarint(header, space.capacity());
            WireBuffers.putVarint(header, space.used());
            WireBuffers.putVarint(header, space.free());
            WireBuffers.putVarint(header, space.blocks());
        }

        static Room read(ByteBuf header) {
            return new Room(new NodeSpace(
                    WireBuffers.getVarint(header),
                    WireBuffers.getVarint(header),
                    WireBuffers.getVarint(header),
                    WireBuffers.getVarint(header)));
        }
    }

    /**
     * Reads the header of a reply frame, which stays the caller's.
     *
     * @throws WireException for a type that is no storage reply, or a header that does not fit its type
     */
    static StorageReply read(Frame frame) {
        ByteBuf header = frame.header();
        StorageReply reply = switch (frame.type()) {
            case Done.TYPE -> new Done();
            case Written.TYPE -> new Written(WireBuffers.getVarint(header));
            case Granted.TYPE -> Granted.read(header);
            case Part.TYPE -> new Part(StorageFields.getPartHeader(header));
            case Found.TYPE -> new Found(StorageFields.getBlockHeader(header));
            case Sealed.TYPE -> new Sealed(WireBuffers.getVarint(header));
            case Listed.TYPE -> Listed.read(header);
            case Room.TYPE -> Room.read(header);
            default -> throw WireException.unknownType(frame);
        };
        WireBuffers.requireEnd(header);
        return reply;
    }

    /** Appends generations as the body of a {@link Listed}. */
    static void writeGenerations(ByteBuf body, List<Generation> generations) {
        generations.forEach(generation -> StorageFields.putGeneration(body, generation));
    }

    /** Reads the body of a {@link Listed}. */
    static List<Generation> readGenerations(ByteBuf body) {
        int count = body.readableBytes() / StorageFields.GENERATION_BYTES;
        if (count > GenerationPage.MAX_SIZE || body.readableBytes() % StorageFields.GENERATION_BYTES != 0) {
            throw new WireException(WireCode.MALFORMED, "a list of generations of " + body.readableBytes() + " bytes");
        }
        List<Generation> generations = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            generations.add(StorageFields.getGeneration(body));
        }
        return generations;
    }
}
